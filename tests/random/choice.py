"""Random choices that depend on a seed alone: Python promises the sequence of random() for ever."""

import random


class Choice:
    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, count):
        return int(self.random() * count)

    def between(self, least, most):
        return least + self.below(most - least + 1)

    def chance(self, probability):
        return self.random() < probability

    def pick(self, options):
        return options[self.below(len(options))]

    def weighted(self, options):
        """One of the keys of a dictionary of weights; None where all are 0."""
        total = sum(options.values())
        at = self.random() * total
        for option, weight in options.items():
            at -= weight
            if at < 0 and weight:
                return option
        return None
