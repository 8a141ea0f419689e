/* EGL and OpenGL for the programs of this folder, without a window and without their headers: functions and numbers are declared
   here, and the libraries are found at run time. */
#ifndef GL_H
#define GL_H

#include "check.h"
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GL_TEXTURE_1D = 0x0DE0, GL_TEXTURE_2D = 0x0DE1, GL_TEXTURE_3D = 0x806F, GL_TEXTURE_RECTANGLE = 0x84F5, GL_TEXTURE_CUBE_MAP = 0x8513,
    GL_POSITIVE_X = 0x8515, GL_NEGATIVE_Z = 0x851A, GL_TEXTURE_1D_ARRAY = 0x8C18, GL_TEXTURE_2D_ARRAY = 0x8C1A, GL_TEXTURE_BUFFER = 0x8C2A,
    GL_ARRAY_BUFFER = 0x8892, GL_STATIC_DRAW = 0x88E4, GL_RENDERBUFFER = 0x8D41, GL_FRAMEBUFFER = 0x8D40, GL_COLOR_ATTACHMENT0 = 0x8CE0,
    GL_PACK_ALIGNMENT = 0x0D05, GL_UNPACK_ALIGNMENT = 0x0CF5, GL_TEXTURE_BASE_LEVEL = 0x813C, GL_TEXTURE_MAX_LEVEL = 0x813D,
    GL_BYTE = 0x1400, GL_UNSIGNED_BYTE, GL_SHORT, GL_UNSIGNED_SHORT, GL_INT, GL_UNSIGNED_INT, GL_FLOAT, GL_HALF_FLOAT = 0x140B,
    GL_RED = 0x1903, GL_RGBA = 0x1908, GL_BGRA = 0x80E1, GL_RG = 0x8227, GL_RG_INTEGER = 0x8228, GL_RED_INTEGER = 0x8D94, GL_RGBA_INTEGER = 0x8D99,
    GL_DEPTH_COMPONENT = 0x1902, GL_RGB = 0x1907, GL_RGB8 = 0x8051, GL_RGBA8 = 0x8058, GL_RGBA8UI = 0x8D7C, GL_R8 = 0x8229, GL_R32F = 0x822E,
    GL_RGBA32F = 0x8814, GL_COLOR = 0x1800, GL_SYNC_GPU_COMMANDS_COMPLETE = 0x9117
};

#define FUNCTIONS(F) \
    F(unsigned, glGetError, (void)) F(void, glFinish, (void)) F(void, glFlush, (void)) F(void, glPixelStorei, (unsigned, int)) \
    F(void, glGenBuffers, (int, unsigned *)) F(void, glBindBuffer, (unsigned, unsigned)) F(void, glDeleteBuffers, (int, const unsigned *)) \
    F(void, glBufferData, (unsigned, ptrdiff_t, const void *, unsigned)) F(void, glBufferSubData, (unsigned, ptrdiff_t, ptrdiff_t, const void *)) \
    F(void, glGetBufferSubData, (unsigned, ptrdiff_t, ptrdiff_t, void *)) F(void, glGenTextures, (int, unsigned *)) \
    F(void, glBindTexture, (unsigned, unsigned)) F(void, glDeleteTextures, (int, const unsigned *)) F(void, glTexParameteri, (unsigned, unsigned, int)) \
    F(void, glTexImage1D, (unsigned, int, int, int, int, unsigned, unsigned, const void *)) \
    F(void, glTexImage2D, (unsigned, int, int, int, int, int, unsigned, unsigned, const void *)) \
    F(void, glTexImage3D, (unsigned, int, int, int, int, int, int, unsigned, unsigned, const void *)) \
    F(void, glTexSubImage2D, (unsigned, int, int, int, int, int, unsigned, unsigned, const void *)) \
    F(void, glGetTexImage, (unsigned, int, unsigned, unsigned, void *)) F(void, glTexBuffer, (unsigned, unsigned, unsigned)) \
    F(void, glTexImage2DMultisample, (unsigned, int, unsigned, int, int, unsigned char)) F(void, glGenRenderbuffers, (int, unsigned *)) \
    F(void, glBindRenderbuffer, (unsigned, unsigned)) F(void, glRenderbufferStorage, (unsigned, unsigned, int, int)) \
    F(void, glRenderbufferStorageMultisample, (unsigned, int, unsigned, int, int)) F(void, glDeleteRenderbuffers, (int, const unsigned *)) \
    F(void, glGenFramebuffers, (int, unsigned *)) F(void, glBindFramebuffer, (unsigned, unsigned)) \
    F(void, glFramebufferRenderbuffer, (unsigned, unsigned, unsigned, unsigned)) F(void, glReadPixels, (int, int, int, int, unsigned, unsigned, void *)) \
    F(void, glFramebufferTexture2D, (unsigned, unsigned, unsigned, unsigned, int)) F(void, glDeleteFramebuffers, (int, const unsigned *)) \
    F(void, glClearBufferfv, (unsigned, int, const float *)) F(void *, glFenceSync, (unsigned, unsigned)) F(void, glDeleteSync, (void *)) \
    F(unsigned, eglGetError, (void)) F(void *, eglGetPlatformDisplayEXT, (unsigned, void *, const int *)) F(unsigned, eglInitialize, (void *, int *, int *)) \
    F(unsigned, eglBindAPI, (unsigned)) F(void *, eglCreateContext, (void *, void *, void *, const int *)) F(unsigned, eglDestroyContext, (void *, void *)) \
    F(unsigned, eglMakeCurrent, (void *, void *, void *, void *)) F(unsigned, eglTerminate, (void *)) F(unsigned, eglQueryDevicesEXT, (int, void **, int *)) \
    F(void *, eglCreateImageKHR, (void *, void *, unsigned, void *, const int *)) F(unsigned, eglDestroyImageKHR, (void *, void *)) \
    F(unsigned, eglChooseConfig, (void *, const int *, void **, int, int *))

#define DECLARE(result, name, types) static result (*name) types;
FUNCTIONS(DECLARE)

static void *display;

/* Loads EGL, and opens a display that needs no window system. */
static inline void open_display(void)
{
    enum { SURFACELESS = 0x31DD, DEVICE = 0x313F };
    void *library = dlopen("libEGL.so.1", RTLD_NOW);
    check(library != NULL, "EGL is installed (packages libegl1, libegl-mesa0)");
    void *(*find)(const char *) = (void *(*)(const char *))dlsym(library, "eglGetProcAddress");
    check(find != NULL, "eglGetProcAddress");
#define FIND(result, name, types) name = (result (*) types)find(#name); check(name != NULL, #name);
    FUNCTIONS(FIND)
#undef FIND
    int count = 0;
    void *device;
    display = eglGetPlatformDisplayEXT(SURFACELESS, NULL, NULL);
    if ((!display || !eglInitialize(display, NULL, NULL)) && eglQueryDevicesEXT(1, &device, &count) && count == 1) {
        display = eglGetPlatformDisplayEXT(DEVICE, device, NULL);
    }
    check(display && eglInitialize(display, NULL, NULL), "a display without windows");
}

/* A context of OpenGL 3.3 or of OpenGL ES 3.0, which is current then. */
static inline void *new_context(int is_es, void *shared)
{
    const int core[] = {0x3098, 3, 0x30FB, 3, 0x30FD, 1, 0x3038}, es[] = {0x3098, 3, 0x3038};
    check(eglBindAPI(is_es ? 0x30A0 : 0x30A2), "OpenGL");
    void *context = eglCreateContext(display, NULL, shared, is_es ? es : core);
    check(context && eglMakeCurrent(display, NULL, NULL, context), "a context of OpenGL");
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    return context;
}

/* A context of OpenGL 3.3 by GLX, without a window, which is current then. `name` is that of a display of X. */
static void *x_display;
static inline void *new_x_context(const char *name)
{
    void *x = dlopen("libX11.so.6", RTLD_NOW), *glx = dlopen("libGL.so.1", RTLD_NOW);
    check(x && glx, "libraries of X and GLX");
    void *(*open_x)(const char *) = (void *(*)(const char *))dlsym(x, "XOpenDisplay");
    void **(*choose)(void *, int, const int *, int *) = (void **(*)(void *, int, const int *, int *))dlsym(glx, "glXChooseFBConfig");
    void *(*find)(const char *) = (void *(*)(const char *))dlsym(glx, "glXGetProcAddressARB");
    void *(*create)(void *, void *, void *, int, const int *) = (void *(*)(void *, void *, void *, int, const int *))find("glXCreateContextAttribsARB");
    int (*make_current)(void *, uintptr_t, uintptr_t, void *) = (int (*)(void *, uintptr_t, uintptr_t, void *))dlsym(glx, "glXMakeContextCurrent");
    const int any[] = {0x8010, 4, 0}, core[] = {0x2091, 3, 0x2092, 3, 0x9126, 1, 0};
    int count;
    x_display = open_x(name);
    check(x_display != NULL, "a display of X");
    void **configs = choose(x_display, 0, any, &count);
    check(configs && count > 0, "a configuration of GLX");
    void *context = create(x_display, configs[0], NULL, 1, core);
    check(context && make_current(x_display, 0, 0, context), "a context of GLX");
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    return context;
}

/* Ends the context, and closes the display. */
static inline void end_x(void *context)
{
    void *x = dlopen("libX11.so.6", RTLD_NOW), *glx = dlopen("libGL.so.1", RTLD_NOW);
    int (*make_current)(void *, uintptr_t, uintptr_t, void *) = (int (*)(void *, uintptr_t, uintptr_t, void *))dlsym(glx, "glXMakeContextCurrent");
    void (*destroy)(void *, void *) = (void (*)(void *, void *))dlsym(glx, "glXDestroyContext");
    int (*close_x)(void *) = (int (*)(void *))dlsym(x, "XCloseDisplay");
    make_current(x_display, 0, 0, NULL);
    destroy(x_display, context);
    close_x(x_display);
}

#endif
