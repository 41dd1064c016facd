/* teenyc: the compiler as a command. */
#include <stdio.h>

#include "codegen/codegen.h"
#include "driver/compilation.h"
#include "driver/faults.h"
#include "driver/list.h"
#include "driver/output.h"
#include "driver/version.h"

static void print_help(void)
{
    puts("usage: teenyc FILE.c|.ttir|.ttgir --kernel NAME --target TARGET [options]\n"
         "Compiles one kernel of a C file, or of MLIR text, for a GPU or for this CPU.\n");
    options_print(stdout);
    puts("\nexit status: 0 right, 1 the input is wrong, 2 usage, 3 no such target, 4 output "
         "cannot be written, 70 a fault of teenyc's");
}

static int run(arena *arena, int count, char **words)
{
    driver_options options;
    if (!options_parse(arena, count, words, &options))
        return COMPILE_USAGE;
    if (options.help) {
        print_help();
        return COMPILE_RIGHT;
    }
    if (options.version) {
        version_print();
        return COMPILE_RIGHT;
    }
    if (options.list)
        return list_print(arena, &options);
    return compile(arena, &options);
}

int main(int count, char **words)
{
    faults_install(count, words);
    codegen_install_fatal_error_handler(faults_fatal);
    arena *arena = arena_create();
    int status = run(arena, count, words);
    arena_destroy(arena);
    if (fflush(stdout) != 0 && status == COMPILE_RIGHT) {
        perror("teenyc: standard output");
        return COMPILE_UNWRITTEN;
    }
    return output_has_failed() ? COMPILE_UNWRITTEN : status;
}
