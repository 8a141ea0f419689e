#!/bin/sh
# The packages in a bare root of Debian, as users install and use them; `cargo xtask roots` runs this there, as root.
# It installs and removes packages, so it is for no other system. /smoke/dist and /smoke/wheels have what is tested,
# the latter with the wheels of numpy and PyOpenCL; /smoke/docs has the documents whose programs are run.
set -u
[ -d /smoke/dist ] || { echo "this is no root of cargo xtask roots"; exit 1; }
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
log=/smoke/log
home=/home/user
run='clforge run twice.cl --global 4 --arg buffer:float=1,2,3,4 --arg by=2 --print a'

ok() { echo "    ok: $1"; }
fail() { cat "$log"; echo "FAILED: $1"; exit 1; }

# quiet TITLE COMMAND…: succeeds.
quiet() {
    title=$1; shift
    "$@" >"$log" 2>&1 </dev/null || fail "$title: exit code $?"
    ok "$title"
}

# says TITLE CODE PATTERN COMMAND…: by an ordinary user, the command has this exit code, and prints the pattern (any
# text if it is empty).
says() {
    title=$1 code=$2 pattern=$3 got=0; shift 3
    (cd $home && runuser -u user -- env -i PATH="$PATH" HOME=$home "$@") >"$log" 2>&1 </dev/null || got=$?
    [ "$got" = "$code" ] || fail "$title: exit code $got, not $code"
    [ -z "$pattern" ] || grep -q -e "$pattern" "$log" || fail "$title: nothing like '$pattern'"
    ok "$title"
}

# lacks TITLE PATTERN: the last command has not printed it.
lacks() { ! grep -q -e "$2" "$log" || fail "$1: has '$2'"; }

install() { title=$1; shift; quiet "$title" apt-get install -q -y "$@"; }

# All files that packages or the archive could leave.
listing() { find /etc /opt /srv /usr /var -xdev -path /var/cache -prune -o -path /var/lib/apt -prune -o \
    -path /var/lib/dpkg -prune -o -path /var/log -prune -o -path /usr/local/lib/python3\* -prune -o -print | sort; }

prepare() {
    useradd -m user && cd /smoke && : >"$log" || fail "a user"
    apt-get update -q >"$log" 2>&1 || echo "    apt-get update fails: the packages are those of the cache"
    # What other packages leave has no part in this.
    apt-get install -q -y --no-install-recommends clinfo man-db >"$log" 2>&1 || fail "apt-get install"
    apt-get purge -q -y clinfo ocl-icd-libopencl1 >"$log" 2>&1 || fail "apt-get purge"
    echo 'kernel void twice(global float *a, float by) { a[get_global_id(0)] *= by; }' >$home/twice.cl
    listing >/smoke/before
}

# Messages must name the packages that are missing.
without_drivers() {
    echo "==> nothing but the command"
    install "apt-get install clforge" --no-install-recommends ./dist/clforge_*.deb
    says "clforge --version" 0 "^clforge [0-9]" clforge --version
    says "clforge --version --verbose without a loader" 0 libvulkan1 clforge --version --verbose
    says "clforge compile" 0 "Debian: spirv-tools" clforge compile twice.cl -o twice.spv
    says "clforge compile for OpenCL" 0 "" clforge compile twice.cl --target opencl3.0 -o opencl.spv
    says "clforge devices without a loader names it" 3 libvulkan1 clforge devices
    says "and a driver" 3 mesa-vulkan-drivers clforge devices
    says "clforge run without a loader" 3 libvulkan1 $run
    echo "==> libraries, without a Vulkan driver"
    install "apt-get install ./*.deb" --no-install-recommends ./dist/*.deb clinfo
    says "clforge devices without a driver" 3 mesa-vulkan-drivers clforge devices
    says "clforge run without a driver" 3 mesa-vulkan-drivers $run
    says "clinfo without a driver" 0 "platforms  *0" clinfo
    says "the OpenCL driver says why" 0 mesa-vulkan-drivers env CLFORGE_LOG=debug clinfo
}

purged() {
    quiet "apt-get purge" apt-get purge -q -y --autoremove clforge clforge-opencl-icd libclforge0 libclforge-dev \
        clinfo
    listing >/smoke/after
    diff /smoke/before /smoke/after >"$log" || fail "purge leaves files"
    dpkg-query -W -f '${Package} ${db:Status-Status}\n' '*clforge*' 2>/dev/null | grep -v not-installed >"$log" &&
        fail "purge leaves packages"
    ok "nothing is left"
}

# The command, and a program of others, on lavapipe.
on_lavapipe() {
    says "clforge devices" 0 llvmpipe clforge devices
    says "clforge --version --verbose" 0 "^device 0: llvmpipe" clforge --version --verbose
    says "clforge run" 0 "^a: 2 4 6 8$" $run
    lacks "clforge run with spirv-val" warning
    says "clforge run without HOME" 0 "^a: 2 4 6 8$" env -u HOME $run
    says "clforge run with a HOME that is not there" 0 "^a: 2 4 6 8$" env HOME=/nonexistent $run
    says "clforge run --sanitize=all" 0 "^a: 2 4 6 8$" $run --sanitize=all
    says "clinfo -l" 0 "Platform #[0-9]*: clforge" clinfo -l
}

manuals() {
    says "man clforge" 0 OpenCL man -P cat clforge
    says "man clforge-run" 0 global man -P cat clforge-run
    bash -c '. "$1"; complete -p clforge' bash "$1/bash-completion/completions/clforge" >"$log" 2>&1 ||
        fail "completions for bash"
    [ -f "$1/fish/vendor_completions.d/clforge.fish" ] && [ -f "$1/zsh/$2/_clforge" ] || fail "completions"
    ok "completions"
}

# The number-th block of a language in a document.
block() {
    awk -v n="$3" -v start="\`\`\`$2" '$0 == start && ++found == n { on = 1; next } /^```/ { on = 0 } on' \
        "/smoke/docs/$1"
}

programs() {
    block c.md c 1 >$home/compiles.c
    says "a program with libclforge is compiled" 0 "" cc -Wall -Werror compiles.c -o compiles \
        $(pkg-config --cflags --libs clforge)
    says "and compiles" 0 "^[0-9]* words" ./compiles
    cat >$home/opencl.c <<'C'
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    char name[64] = "";
    clGetPlatformIDs(8, platforms, &count);
    for (cl_uint i = 0; i < count && strcmp(name, "clforge"); i++) {
        platforms[0] = platforms[i];
        clGetPlatformInfo(platforms[0], CL_PLATFORM_NAME, sizeof name, name, NULL);
    }
    cl_device_id device;
    if (clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    const char *text = "kernel void twice(global float *a) { a[get_global_id(0)] *= 2; }";
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL)) return 2;
    cl_kernel kernel = clCreateKernel(program, "twice", NULL);
    float a[4] = {1, 2, 3, 4};
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof a, a, NULL);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    size_t size = 4;
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof a, a, 0, NULL, NULL);
    return printf("%s: %g %g %g %g\n", name, a[0], a[1], a[2], a[3]) < 0;
}
C
    says "a program with OpenCL is compiled" 0 "" cc -Wall -Werror opencl.c -o opencl \
        $(pkg-config --cflags --libs OpenCL)
    says "and runs" 0 "^clforge: 2 4 6 8$" ./opencl
}

# Installed without options of apt-get: the packages' own recommendations must be enough.
packages() {
    echo "==> packages with what they recommend"
    install "apt-get install ./*.deb" ./dist/*.deb
    install "apt-get install clinfo gcc …" --no-install-recommends clinfo gcc libc6-dev pkgconf ocl-icd-opencl-dev
    on_lavapipe
    manuals /usr/share vendor-completions
    programs
    echo "==> with PoCL"
    install "apt-get install pocl-opencl-icd" --no-install-recommends pocl-opencl-icd
    says "clinfo -l lists clforge" 0 "Platform #[0-9]*: clforge" clinfo -l
    says "and PoCL" 0 "Platform #[0-9]*: Portable Computing Language" clinfo -l
    says "the program with OpenCL" 0 "^clforge: 2 4 6 8$" ./opencl
}

archive() {
    echo "==> the archive in /usr/local"
    apt-get purge -q -y clforge clforge-opencl-icd libclforge0 libclforge-dev >"$log" 2>&1 || fail "apt-get purge"
    says "nothing of the packages is there" 127 "" clforge --version
    quiet "unpacking" tar -C /usr/local --strip-components=1 --no-same-owner -xf dist/clforge-*-linux.tar.gz
    mkdir -p /etc/OpenCL/vendors && cp /usr/local/etc/OpenCL/vendors/clforge.icd /etc/OpenCL/vendors/ && ldconfig ||
        fail "the driver"
    on_lavapipe
    manuals /usr/local/share site-functions
    programs
    tar -tf dist/clforge-*-linux.tar.gz | sed -n 's,^[^/]*/\(.*[^/]\)$,/usr/local/\1,p' | xargs rm
    rm /etc/OpenCL/vendors/clforge.icd && ldconfig
}

wheel() {
    echo "==> the wheel"
    install "apt-get install python3-venv" --no-install-recommends python3-venv
    says "python3 -m venv" 0 "" python3 -m venv venv
    says "$(python3 --version), pip install clforge pyopencl numpy" 0 "" \
        venv/bin/pip install --no-index --find-links /smoke/wheels clforge pyopencl numpy
    block python.md python 1 >$home/module.py
    block python.md python 2 >$home/with_pyopencl.py
    says "the module" 0 "" venv/bin/python module.py
    says "PyOpenCL" 0 "" venv/bin/python with_pyopencl.py
    says "venv/bin/clforge" 0 "^clforge [0-9]" venv/bin/clforge --version
    says "python -m clforge devices" 0 llvmpipe venv/bin/python -m clforge devices
    says "pip uninstall" 0 "" venv/bin/pip uninstall -y clforge
    (cd $home && find venv -iname '*clforge*' | grep .) >"$log" && fail "pip uninstall leaves files"
    ok "nothing is left"
}

prepare
without_drivers
purged
packages
archive
[ ! -d /smoke/wheels ] || wheel
