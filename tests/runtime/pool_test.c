/* The cpu device's threads: who works on what. Tasks are functions of this file. */
#include "support.h"

#include "runtime/cpu/pool.h"

#include <float.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static const uint32_t one[3] = {1, 1, 1}, many[3] = {256, 1, 1};
static sem_t begun, release;
static pthread_t ran_on;
static atomic_int inside, most_inside;
static atomic_ullong programs;

static void wait_for_release(const cpu_call *call, uint64_t first, uint64_t last)
{
    (void)call;
    (void)first;
    (void)last;
    sem_post(&begun);
    sem_wait(&release);
}

static void say_who(const cpu_call *call, uint64_t first, uint64_t last)
{
    memset(call->scratch, 1, 4096);
    ran_on = pthread_self();
    atomic_fetch_add(&programs, last - first);
}

static void count_inside(const cpu_call *call, uint64_t first, uint64_t last)
{
    int now = atomic_fetch_add(&inside, 1) + 1, most = atomic_load(&most_inside);
    (void)call;
    while (now > most && !atomic_compare_exchange_weak(&most_inside, &most, now))
        ;
    usleep(200);
    atomic_fetch_sub(&inside, 1);
    atomic_fetch_add(&programs, last - first);
}

static teeny_queue *new_queue(teeny_pool *pool)
{
    teeny_queue *queue = calloc(1, sizeof *queue);
    assert_non_null(queue);
    teeny_pool_add_queue(pool, queue);
    return queue;
}

static void free_queue(teeny_pool *pool, teeny_queue *queue)
{
    teeny_pool_remove_queue(pool, queue);
    free(queue);
}

static void submit(teeny_pool *pool, teeny_queue *queue, cpu_entry *entry, const uint32_t grid[3])
{
    /* Lives until the task is done: every test waits for its own. */
    static teeny_image images[8];
    static int next;
    teeny_image *image = &images[next++ % 8];
    *image = (teeny_image){.entry = entry, .scratch_bytes = 4096};
    assert_true(teeny_pool_submit(pool, queue, image, grid, NULL, 0));
}

/* The only worker is held up: whoever waits does the work. It would wait for ever otherwise. */
static void test_who_waits_works(void **state)
{
    (void)state;
    for (int can_look = 0; can_look < 2; can_look++) {
        teeny_pool *pool = teeny_pool_create(1, can_look);
        teeny_queue *held_up = new_queue(pool), *queue = new_queue(pool);
        atomic_store(&programs, 0);
        submit(pool, held_up, wait_for_release, one);
        sem_wait(&begun);
        submit(pool, queue, say_who, many);
        submit(pool, queue, say_who, many);
        assert_true(teeny_pool_wait(pool, queue));
        assert_true(pthread_equal(ran_on, pthread_self()));
        assert_int_equal(atomic_load(&programs), 512);
        sem_post(&release);
        free_queue(pool, queue);
        free_queue(pool, held_up);
        teeny_pool_destroy(pool);
    }
}

static void test_launches_run_with_nobody_waiting(void **state)
{
    (void)state;
    teeny_pool *pool = teeny_pool_create(2, true);
    teeny_queue *queue = new_queue(pool);
    for (int i = 0; i < 20; i++) {
        submit(pool, queue, wait_for_release, one);
        sem_wait(&begun);
        sem_post(&release);
        usleep(i * 10); /* around the time that workers look before they sleep */
    }
    free_queue(pool, queue);
    teeny_pool_destroy(pool);
}

static void test_no_more_threads_than_asked_for(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        teeny_pool *pool = teeny_pool_create(threads, true);
        teeny_queue *queue = new_queue(pool);
        atomic_store(&programs, 0);
        atomic_store(&most_inside, 0);
        submit(pool, queue, count_inside, many);
        assert_true(teeny_pool_wait(pool, queue));
        assert_int_equal(atomic_load(&programs), 256);
        assert_in_range(atomic_load(&most_inside), 1, threads);
        free_queue(pool, queue);
        teeny_pool_destroy(pool);
    }
}

#if defined(__x86_64__)

/* Whether subnormal numbers are flushed to zero where this runs. */
static float half_of_smallest(void)
{
    volatile float smallest = FLT_MIN;
    return smallest * 0.5f;
}

static float computed;

static void compute(const cpu_call *call, uint64_t first, uint64_t last)
{
    (void)call;
    (void)first;
    (void)last;
    computed = half_of_smallest();
}

/* A program that flushes subnormal numbers to zero, as -ffast-math makes it, launches as others do.
 */
static void test_float_environment_is_the_default(void **state)
{
    (void)state;
    enum { FLUSH = 0x8040 };
    unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | FLUSH);
    teeny_pool *pool = teeny_pool_create(1, true);
    teeny_queue *held_up = new_queue(pool), *queue = new_queue(pool);
    submit(pool, held_up, compute, one);
    usleep(1000);
    assert_true(teeny_pool_wait(pool, held_up));
    float by_some_thread = computed;
    submit(pool, held_up, wait_for_release, one);
    sem_wait(&begun);
    submit(pool, queue, compute, one);
    assert_true(teeny_pool_wait(pool, queue));
    float by_who_waits = computed, here = half_of_smallest();
    __builtin_ia32_ldmxcsr(before);
    sem_post(&release);
    assert_true(by_some_thread > 0 && by_who_waits > 0);
    assert_true(here == 0);
    free_queue(pool, queue);
    free_queue(pool, held_up);
    teeny_pool_destroy(pool);
}

#else

static void test_float_environment_is_the_default(void **state)
{
    (void)state;
    support_skip("how this machine flushes subnormal numbers is not known");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_waits_works),
        cmocka_unit_test(test_launches_run_with_nobody_waiting),
        cmocka_unit_test(test_no_more_threads_than_asked_for),
        cmocka_unit_test(test_float_environment_is_the_default),
    };
    sem_init(&begun, 0, 0);
    sem_init(&release, 0, 0);
    alarm(60); /* a thread that waits for ever is a failure */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
