# build.sh DIRECTORY: the commands of docs/deployment.md, with this build's teenyc and libteeny.
set -e
cp docs/deployment/kernels.c docs/deployment/app.c docs/deployment/warm.c "$1"
include=$PWD/include library=$BUILD/lib/libteeny.a
cd "$1"
teenyc kernels.c --target sm_90a,sm_80,x86-64-v2 --specialise '*=16' --emit c -o ahead/kernels.c
cc -std=c17 -Wall -Wextra -Werror -I"$include" -Iahead app.c ahead/kernels.c "$library" -lpthread -o app
cc -std=c17 -Wall -Wextra -Werror -I"$include" warm.c "$library" -lpthread -o warm
