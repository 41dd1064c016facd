# The front door. Everything is built by CMake into build/; see CONTRIBUTING.md.
#
#   make demo    installs what is missing, builds, runs the examples on the best device there is
#   make check   builds and runs all tests; ends with `N passed, N failed`
#   make         builds: build/bin/teenyc, build/lib/libteeny.a and .so, build/examples/
#   make bench   times what the documentation states; make soak runs the long generators and fuzzers
#   make fmt     formats all C and C++; make docs writes the pages that come from tables
#   make coverage  prints which lines of src/frontend the tests run, from a build of its own
#   make install installs below PREFIX (/usr/local), put behind DESTDIR; see docs/deployment.md
#   make gpu     fills build/gpu with programs and a kernel cache to carry to a machine with a GPU

BUILD ?= build
CONFIGURE = cmake -G Ninja -S . -B $(BUILD) -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=clang++-22

PREFIX ?= $(shell sed -n 's/^CMAKE_INSTALL_PREFIX:PATH=//p' $(BUILD)/CMakeCache.txt 2>/dev/null)

.PHONY: all install dependencies demo check soak bench fmt docs coverage gpu clean

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

$(BUILD)/build.ninja: | dependencies
	@$(CONFIGURE) > $(BUILD).log || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

dependencies:
	@./scripts/install-dependencies.sh

demo: all
	@./scripts/demo.sh $(BUILD)

# Without the tests, examples and benchmarks.
install: $(BUILD)/build.ninja
	@cmake -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(BUILD) > /dev/null
	@ninja -C $(BUILD) teeny_shared teeny_static teeny teenyc teeny_manual
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --strip

check: all
	@python3 tests/run.py --build $(BUILD)

soak: all
	@python3 tests/run.py --build $(BUILD) --soak

bench: all
	@./scripts/bench.sh $(BUILD)

fmt:
	@git grep -LE '^TEENY_(KERNEL|DEVICE|DECL|TYPE|INSTANCE)\(' -- '*.c' '*.h' '*.cpp' '*.hpp' | xargs clang-format-22 -i

docs: all
	@./scripts/generate-docs.sh $(BUILD)

coverage: dependencies
	@$(CONFIGURE) -B $(BUILD)-coverage -DTEENY_COVERAGE=ON > /dev/null
	@ninja -C $(BUILD)-coverage
	@./scripts/coverage.py $(BUILD)-coverage

gpu: all
	@./scripts/gpu-bundle.sh $(BUILD)

clean:
	@rm -rf $(BUILD)
