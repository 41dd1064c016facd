# cmake -DOUT=FILE.map -DVERSION=NODE -DHEADERS=a;b -P symbols.cmake
# Writes the linker's version script of libteeny.so: what the headers declare with TEENY_API, and the
# two names that gdb looks for (its JIT interface); nothing else is seen from outside.
set(names __jit_debug_descriptor __jit_debug_register_code)
foreach(header ${HEADERS})
  file(READ ${header} text)
  string(REGEX REPLACE "/[*]([^*]|[*]+[^*/])*[*]+/" " " text "${text}")
  string(REGEX MATCHALL "TEENY_API[^;()]*[(]" declarations "${text}")
  foreach(declaration ${declarations})
    if(declaration MATCHES "(teeny_[a-z0-9_]+)[(]$")
      list(APPEND names ${CMAKE_MATCH_1})
    endif()
  endforeach()
endforeach()
list(SORT names)
list(REMOVE_DUPLICATES names)
list(JOIN names ";\n        " lines)
file(WRITE ${OUT} "/* Made by cmake/symbols.cmake of the public headers. */
${VERSION} {
    global:
        ${lines};
    local:
        *;
};
")
