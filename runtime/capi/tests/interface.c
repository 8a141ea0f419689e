/* What the functions of clforge.h do, for programs in C99 and C++. */

#include <clforge.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

static const char TWICE[] = "kernel void twice(global float *a, float by) { a[get_global_id(0)] *= by * SCALE; }";

static clforge_status compile(const char *text, const char *target, const char *options, clforge_result **result)
{
    return clforge_compile("k.cl", text, strlen(text), target, options, result);
}

static void modules_and_descriptions(void)
{
    clforge_result *module = NULL, *description = NULL;
    CHECK(compile(TWICE, "vulkan1.2", "-DSCALE=2.0f -cl-mad-enable", &module) == CLFORGE_STATUS_SUCCESS);
    CHECK(clforge_result_status(module) == CLFORGE_STATUS_SUCCESS);
    const uint32_t *words = clforge_result_words(module);
    CHECK(words != NULL && words[0] == 0x07230203u && clforge_result_word_count(module) > 50);
    CHECK(clforge_result_diagnostic_count(module) == 0 && clforge_result_text(module)[0] == 0);
    CHECK(clforge_result_json(module)[0] == 0);
    CHECK(clforge_reflect(words, clforge_result_word_count(module), &description) == CLFORGE_STATUS_SUCCESS);
    /* The description needs the module no longer. */
    clforge_result_free(module);
    CHECK(strstr(clforge_result_json(description), "\"name\": \"twice\"") != NULL);
    CHECK(strstr(clforge_result_json(description), "\"kind\": \"pointer_push_constant\"") != NULL);
    clforge_result_free(description);
    CHECK(compile(TWICE, "opencl3.0", "-D SCALE=1", &module) == CLFORGE_STATUS_SUCCESS);
    CHECK(clforge_reflect(clforge_result_words(module), clforge_result_word_count(module), &description) == 0);
    CHECK(strstr(clforge_result_json(description), "\"environment\": \"opencl\"") != NULL);
    clforge_result_free(description);
    const uint32_t wrong[] = {1, 2, 3};
    CHECK(clforge_reflect(wrong, 3, &description) == CLFORGE_STATUS_PROGRAM_ERRORS);
    CHECK(clforge_result_text(description)[0] != 0);
    clforge_result_free(description);
    clforge_result_free(module);
}

static void diagnostics(void)
{
    clforge_result *result = NULL;
    const char *text = "int f(int a) { return a; }\nkernel void k(global int *p) { int unused; p[0] = x; f(); }\n";
    CHECK(compile(text, "vulkan1.2", "-Wall", &result) == CLFORGE_STATUS_PROGRAM_ERRORS);
    CHECK(clforge_result_words(result) == NULL && clforge_result_word_count(result) == 0);
    size_t count = clforge_result_diagnostic_count(result), errors = 0, notes = 0;
    for (size_t i = 0; i < count; i++) {
        const clforge_diagnostic *found = clforge_result_diagnostic(result, i);
        errors += found->severity == CLFORGE_SEVERITY_ERROR;
        notes += found->severity == CLFORGE_SEVERITY_NOTE;
        if (strcmp(found->message, "use of undeclared identifier 'x'") == 0) {
            CHECK(found->severity == CLFORGE_SEVERITY_ERROR && strcmp(found->file, "k.cl") == 0);
            CHECK(found->line == 2 && found->column == 51 && found->option[0] == 0);
        }
    }
    CHECK(errors == 2 && notes >= 1 && clforge_result_diagnostic(result, count) == NULL);
    CHECK(strstr(clforge_result_text(result), "error: use of undeclared identifier 'x'\n --> k.cl:2:51\n") != NULL);
    clforge_result_free(result);

    CHECK(compile("kernel void k() { int unused; }", "vulkan1.2", "-Wall", &result) == CLFORGE_STATUS_SUCCESS);
    CHECK(clforge_result_diagnostic_count(result) == 1 && clforge_result_word_count(result) > 0);
    CHECK(clforge_result_diagnostic(result, 0)->severity == CLFORGE_SEVERITY_WARNING);
    CHECK(strcmp(clforge_result_diagnostic(result, 0)->option, "-Wunused-variable") == 0);
    clforge_result_free(result);
}

static void units(void)
{
    const char *square = "float square(float x) { return x * x; }";
    const char *user = "float square(float); kernel void k(global float *a) { *a = square(*a); }";
    clforge_result *both[3] = {NULL, NULL, NULL}, *linked = NULL;
    CHECK(clforge_compile_unit("s.cl", square, strlen(square), "vulkan1.2", "", &both[0]) == 0);
    CHECK(clforge_compile_unit("u.cl", user, strlen(user), "vulkan1.2", "", &both[1]) == 0);
    CHECK(clforge_result_words(both[0]) == NULL);
    const clforge_result *const units[3] = {both[0], both[1], NULL};
    CHECK(clforge_link(units, 2, "vulkan1.2", "", &linked) == CLFORGE_STATUS_SUCCESS);
    CHECK(clforge_result_word_count(linked) > 50);
    /* A module has no unit. */
    const clforge_result *const module[1] = {linked};
    clforge_result *failed = NULL;
    CHECK(clforge_link(module, 1, "vulkan1.2", "", &failed) == CLFORGE_STATUS_INVALID_ARGUMENT);
    clforge_result_free(failed);
    clforge_result_free(linked);
    CHECK(clforge_link(units, 3, "vulkan1.2", "", &failed) == CLFORGE_STATUS_INVALID_ARGUMENT);
    clforge_result_free(failed);
    CHECK(clforge_link(units + 1, 1, "vulkan1.2", "", &linked) == CLFORGE_STATUS_PROGRAM_ERRORS);
    CHECK(strstr(clforge_result_diagnostic(linked, 0)->message, "'square'") != NULL);
    clforge_result_free(linked);
    clforge_result_free(both[0]);
    clforge_result_free(both[1]);

    /* By way of a module for OpenCL. */
    CHECK(compile(TWICE, "opencl3.0", "-DSCALE=3", &both[0]) == CLFORGE_STATUS_SUCCESS);
    CHECK(clforge_read_unit(clforge_result_words(both[0]), clforge_result_word_count(both[0]), "vulkan1.2", "",
                            &both[1]) == CLFORGE_STATUS_SUCCESS);
    CHECK(clforge_link(&units[1], 0, "vulkan1.2", "", &linked) != CLFORGE_STATUS_INTERNAL_ERROR);
    clforge_result_free(linked);
    const clforge_result *const read[1] = {both[1]};
    CHECK(clforge_link(read, 1, "vulkan1.2", "", &linked) == CLFORGE_STATUS_SUCCESS);
    clforge_result_free(linked);
    clforge_result_free(both[0]);
    clforge_result_free(both[1]);
}

static void wrong_options(void)
{
    clforge_result *result = NULL;
    CHECK(compile(TWICE, "vulkan9", "", &result) == CLFORGE_STATUS_INVALID_OPTIONS);
    CHECK(strstr(clforge_result_text(result), "there is no target 'vulkan9'") != NULL);
    clforge_result_free(result);
    CHECK(compile(TWICE, "vulkan1.2", "-cl-std=CL9", &result) == CLFORGE_STATUS_INVALID_OPTIONS);
    CHECK(clforge_result_diagnostic_count(result) == 1 && clforge_result_diagnostic(result, 0)->line == 0);
    CHECK(clforge_result_diagnostic(result, 0)->file[0] == 0);
    clforge_result_free(result);
}

static void null_arguments(void)
{
    const clforge_status invalid = CLFORGE_STATUS_INVALID_ARGUMENT;
    clforge_result *result = NULL;
    CHECK(clforge_compile(NULL, TWICE, 1, "vulkan1.2", "", &result) == invalid && result != NULL);
    CHECK(strcmp(clforge_result_diagnostic(result, 0)->message, "'name' is NULL") == 0);
    clforge_result_free(result);
    CHECK(clforge_compile("k.cl", NULL, 1, "vulkan1.2", "", &result) == invalid);
    clforge_result_free(result);
    CHECK(clforge_compile("k.cl", TWICE, (size_t)-1, "vulkan1.2", "", &result) == invalid);
    clforge_result_free(result);
    CHECK(compile(TWICE, NULL, "", &result) == invalid);
    clforge_result_free(result);
    CHECK(compile(TWICE, "vulkan1.2", NULL, &result) == invalid);
    clforge_result_free(result);
    CHECK(compile(TWICE, "vulkan1.2", "\xff", &result) == invalid);
    clforge_result_free(result);
    CHECK(compile(TWICE, "vulkan1.2", "", NULL) == invalid);
    CHECK(clforge_compile_unit(NULL, NULL, 0, NULL, NULL, NULL) == invalid);
    CHECK(clforge_read_unit(NULL, 5, "vulkan1.2", "", &result) == invalid);
    clforge_result_free(result);
    CHECK(clforge_link(NULL, 1, "vulkan1.2", "", &result) == invalid);
    clforge_result_free(result);
    CHECK(clforge_reflect(NULL, 5, &result) == invalid);
    clforge_result_free(result);
    CHECK(clforge_reflect(NULL, 0, NULL) == invalid);
    CHECK(clforge_result_status(NULL) == invalid);
    CHECK(clforge_result_words(NULL) == NULL && clforge_result_word_count(NULL) == 0);
    CHECK(clforge_result_text(NULL)[0] == 0 && clforge_result_json(NULL)[0] == 0);
    CHECK(clforge_result_diagnostic_count(NULL) == 0 && clforge_result_diagnostic(NULL, 0) == NULL);
    CHECK(clforge_result_dependency_count(NULL) == 0 && clforge_result_dependency(NULL, 0) == NULL);
    clforge_result_free(NULL);
}

static void included_files(const char *folder)
{
    char options[4096];
    clforge_result *result = NULL;
    snprintf(options, sizeof options, "-I \"%s\"", folder);
    const char *text = "#include \"by.h\"\nkernel void k(global int *p) { *p = BY; }\n";
    CHECK(compile(text, "vulkan1.2", options, &result) == CLFORGE_STATUS_SUCCESS);
    CHECK(clforge_result_dependency_count(result) == 1 && clforge_result_dependency(result, 1) == NULL);
    CHECK(strstr(clforge_result_dependency(result, 0), "by.h") != NULL);
    clforge_result_free(result);
}

/* How often each thread compiles. */
static int repetitions = 3;

static void *work(void *result)
{
    for (int i = 0; i < repetitions; i++) {
        modules_and_descriptions();
        diagnostics();
    }
    /* Several threads read the result of another one. */
    CHECK(clforge_result_word_count((const clforge_result *)result) > 0);
    return NULL;
}

static void threads(void)
{
    pthread_t all[3];
    clforge_result *result = NULL;
    CHECK(compile(TWICE, "vulkan1.2", "-DSCALE=1", &result) == CLFORGE_STATUS_SUCCESS);
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&all[i], NULL, work, result) == 0);
    for (int i = 0; i < 3; i++)
        CHECK(pthread_join(all[i], NULL) == 0);
    clforge_result_free(result);
}

int main(int count, char **arguments)
{
    CHECK(count >= 2 && CLFORGE_API_VERSION == 1);
    if (count > 2)
        repetitions = atoi(arguments[2]);
    modules_and_descriptions();
    diagnostics();
    units();
    wrong_options();
    null_arguments();
    included_files(arguments[1]);
    threads();
    printf("clforge %s\n", clforge_version());
    return 0;
}
