# cmake -DOUT=FILE.c -DNAME=symbol -DROOT=DIR -DFILES=a;b -P embed.cmake
# Writes a C file that holds text files as a table of clang_header entries named NAME.
set(entries "")
set(arrays "")
set(index 0)
foreach(file ${FILES})
  file(READ ${ROOT}/${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const char text${index}[] = {\n${bytes}0};\n")
  string(APPEND entries "    {\"${file}\", text${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUT} "/* Made by cmake/embed.cmake. */
#include \"frontend/clang/bridge.h\"
#include \"frontend/environment.h\"

${arrays}
const clang_header ${NAME}[] = {
${entries}};
const size_t num_${NAME} = ${index};
")
