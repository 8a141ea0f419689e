/* Calls each function of the library with null, foreign and wrong handles and zeros for everything else: `loader.rs` passes the
   library and the names of its functions. Functions that return a handle or an address return null; all others but
   clUnloadCompiler, which has no parameters, return an error code. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef intptr_t word;
/* More parameters than any function has: in the calling conventions of C on 64-bit systems those too many are ignored. */
typedef word (*function)(word, word, word, word, word, word, word, word, word, word, word, word, word, word);

static word call(function f, const void *first)
{
    return f((word)first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static int returns_address(const char *name)
{
    static const char *starts[] = {"clCreate", "clEnqueueMap", "clGetExtensionFunctionAddress", "clSVMAlloc", "clLinkProgram",
                                   "clCloneKernel"};
    if (!strcmp(name, "clCreateKernelsInProgram") || !strcmp(name, "clCreateSubDevices")) return 0;
    for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++)
        if (!strncmp(name, starts[i], strlen(starts[i]))) return 1;
    return 0;
}

int main(int count, char **arguments)
{
    static long foreign[64];
    int failures = 0, called = 0;
    void *library = dlopen(arguments[1], RTLD_NOW), *platform = NULL;
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
    function platforms = (function)dlsym(library, "clGetPlatformIDs");
    if (!platforms || (int32_t)platforms(1, (word)&platform, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) != 0) return 2;
    for (int i = 2; i < count; i++) {
        const char *name = arguments[i];
        function f = (function)dlsym(library, name);
        if (!f) return fprintf(stderr, "no function %s\n", name), 2;
        called++;
        if (!strcmp(name, "clUnloadCompiler") || !strcmp(name, "clSVMFree")) continue;
        const void *handles[] = {NULL, foreign, (char *)platform + 1};
        for (int h = 0; h < 3; h++) {
            word result = call(f, handles[h]);
            int good = returns_address(name) ? result == 0 : (int32_t)result < 0;
            if (!good) failures++, fprintf(stderr, "%s with handle %d returned %ld\n", name, h, (long)result);
        }
    }
    printf("%d functions\n", called);
    return failures != 0;
}
