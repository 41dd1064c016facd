/* What the emu device says: the user's line, what is wrong there, and which thread it was. */
#include "runtime/emu/emu.h"

#include <stdarg.h>

int32_t teeny_emu_place(const teeny_emu_launch *launch, const char *place)
{
    return (int32_t)((intptr_t)place - (intptr_t)launch->entry);
}

const char *teeny_emu_place_text(const teeny_emu_launch *launch, int32_t place)
{
    const char *text = (const char *)((intptr_t)launch->entry + place);
    return text[0] ? text : "an unknown place";
}

void teeny_emu_say_thread(teeny_string *text, unsigned thread)
{
    teeny_string_format(text, "thread %u (warp %u, lane %u)", thread, thread / TEENY_EMU_LANES,
        thread % TEENY_EMU_LANES);
}

static void report(teeny_emu_program *program, const teeny_emu_thread *thread, const char *place,
    const char *format, va_list list)
{
    teeny_emu_launch *launch = program->launch;
    pthread_mutex_lock(&launch->mutex);
    if (!atomic_exchange(&launch->is_over, true)) {
        teeny_string *text = &launch->message;
        if (place && place[0])
            teeny_string_format(text, "%s: ", place);
        if (thread) {
            teeny_emu_say_thread(text, thread->number);
            teeny_string_add(text, " of ");
        }
        teeny_string_format(
            text, "program (%u, %u, %u) ", program->id[0], program->id[1], program->id[2]);
        teeny_string_format_list(text, format, list);
    }
    pthread_mutex_unlock(&launch->mutex);
    program->failed = true;
}

void teeny_emu_report(teeny_emu_program *program, const teeny_emu_thread *thread, const char *place,
    const char *format, ...)
{
    va_list list;
    va_start(list, format);
    report(program, thread, place, format, list);
    va_end(list);
}

void teeny_emu_stop(teeny_emu_thread *thread)
{
    thread->written = NULL;
    for (;;)
        teeny_fiber_switch(&thread->fiber, &thread->program->scheduler);
}

void teeny_emu_fail(teeny_emu_thread *thread, const char *place, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    report(thread->program, thread, place, format, list);
    va_end(list);
    teeny_emu_stop(thread);
}
