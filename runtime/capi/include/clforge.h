/*
 * The clforge compiler for C and C++: OpenCL C to SPIR-V, for Vulkan or for OpenCL.
 *
 * A function that compiles, links or describes makes a clforge_result, with what it made and its diagnostics. All that the
 * functions clforge_result_... return belongs to the result and lives until clforge_result_free().
 *
 * Strings end with a zero, and are UTF-8. A pointer that is NULL is an error or is answered by nothing; it never crashes. Any
 * other pointer must lead to what the function's comment says.
 *
 * All functions may be called by several threads at once. A result does not change, and several threads may read it.
 *
 * This file is made from the library's sources (runtime/capi/src).
 */

#ifndef CLFORGE_H
#define CLFORGE_H

#include <stddef.h>
#include <stdint.h>

/*
 The version of this interface. A later version may add functions, values of enumerations, and fields at the end of
 structures that the library allocates, and changes nothing else, once there is a release.
 */
#define CLFORGE_API_VERSION 1

/*
 How a function ended. Every value except CLFORGE_STATUS_SUCCESS comes with a diagnostic that says what is wrong.
 */
typedef enum clforge_status {
  /*
   The result has what was requested, and perhaps warnings.
   */
  CLFORGE_STATUS_SUCCESS = 0,
  /*
   The program or the module has errors, which the diagnostics of the result tell.
   */
  CLFORGE_STATUS_PROGRAM_ERRORS = 1,
  /*
   The options are wrong, or there is no such target.
   */
  CLFORGE_STATUS_INVALID_OPTIONS = 2,
  /*
   An argument is NULL, is no UTF-8, or is a result that has no unit.
   */
  CLFORGE_STATUS_INVALID_ARGUMENT = 3,
  /*
   The library has a defect. Other calls are not affected.
   */
  CLFORGE_STATUS_INTERNAL_ERROR = 4,
} clforge_status;

/*
 How serious a diagnostic is.
 */
typedef enum clforge_severity {
  /*
   A remark about the diagnostic before it, for example where something was declared.
   */
  CLFORGE_SEVERITY_NOTE = 0,
  /*
   The program was compiled nevertheless.
   */
  CLFORGE_SEVERITY_WARNING = 1,
  /*
   The program was not compiled.
   */
  CLFORGE_SEVERITY_ERROR = 2,
} clforge_severity;

/*
 What a function made: a module, a unit or a description, and the diagnostics. It does not change, so that several threads
 may read it.
 */
typedef struct clforge_result clforge_result;

/*
 An error, a warning, or a note that follows one. It belongs to the result, with its strings, which are UTF-8 and never
 NULL.
 */
typedef struct clforge_diagnostic {
  /*
   How serious it is.
   */
  enum clforge_severity severity;
  /*
   The line, from 1; 0 for a diagnostic without a place.
   */
  uint32_t line;
  /*
   The column in characters, from 1; 0 for a diagnostic without a place.
   */
  uint32_t column;
  /*
   The name of the file; empty for a diagnostic without a place.
   */
  const char *file;
  /*
   What is wrong, in one sentence.
   */
  const char *message;
  /*
   The option that names a warning, such as "-Wunused-value"; otherwise empty.
   */
  const char *option;
  /*
   What to do about it; otherwise empty.
   */
  const char *help;
} clforge_diagnostic;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The version of the library, such as "0.1.0". The string is static.
 */
const char *clforge_version(void);

/*
 Compiles OpenCL C to a SPIR-V module.

 `name` is the name of the source in diagnostics; files that it includes by #include "..." are searched beside it.
 `text` has `length` bytes and need not end with a zero.
 `target` is "vulkan1.1" to "vulkan1.4", or "opencl1.2" to "opencl3.1".
 `options` are build options as for clBuildProgram and clang, such as "-cl-std=CL3.0 -DN=4 -I include"; "" for none.

 `*result` is set whatever the status is, and belongs to the caller, who frees it by clforge_result_free(). The other
 arguments are not kept.
 */
enum clforge_status clforge_compile(const char *name,
                                    const char *text,
                                    size_t length,
                                    const char *target,
                                    const char *options,
                                    struct clforge_result **result);

/*
 Compiles OpenCL C to a unit, which clforge_link() links to others that define what it declares.

 Arguments and ownership are those of clforge_compile(). The result has a unit and no words.
 */
enum clforge_status clforge_compile_unit(const char *name,
                                         const char *text,
                                         size_t length,
                                         const char *target,
                                         const char *options,
                                         struct clforge_result **result);

/*
 Reads a SPIR-V module for OpenCL, of any compiler, as a unit for clforge_link().

 `words` has `word_count` words in this machine's byte order. `target` and `options` are those of clforge_compile().

 `*result` is set whatever the status is, and belongs to the caller, who frees it by clforge_result_free(). The other
 arguments are not kept.
 */
enum clforge_status clforge_read_unit(const uint32_t *words,
                                      size_t word_count,
                                      const char *target,
                                      const char *options,
                                      struct clforge_result **result);

/*
 Links units to a SPIR-V module of their kernels.

 `units` has `unit_count` results of clforge_compile_unit() and clforge_read_unit(), which stay the caller's and may be
 linked again. `target` must be of the family, Vulkan or OpenCL, that they were compiled for. `options` are the options of
 clLinkProgram; "" for none.

 `*result` is set whatever the status is, and belongs to the caller, who frees it by clforge_result_free(). It does not
 refer to the units.
 */
enum clforge_status clforge_link(const struct clforge_result *const *units,
                                 size_t unit_count,
                                 const char *target,
                                 const char *options,
                                 struct clforge_result **result);

/*
 Describes a module in JSON, as `clforge reflect --json` does: kernels, and how their arguments are passed.

 `words` has `word_count` words in this machine's byte order: of a module for OpenCL, or of one for Vulkan with reflection.

 `*result` is set whatever the status is, and belongs to the caller, who frees it by clforge_result_free(). The words are
 not kept.
 */
enum clforge_status clforge_reflect(const uint32_t *words,
                                    size_t word_count,
                                    struct clforge_result **result);

/*
 The status that the function which made the result returned; CLFORGE_STATUS_INVALID_ARGUMENT for NULL.
 */
enum clforge_status clforge_result_status(const struct clforge_result *result);

/*
 The words of the module that was compiled or linked, clforge_result_word_count() of them; NULL if there is none. They
 belong to the result.
 */
const uint32_t *clforge_result_words(const struct clforge_result *result);

/*
 The number of words of the module; 0 if there is none, and for NULL.
 */
size_t clforge_result_word_count(const struct clforge_result *result);

/*
 The description that clforge_reflect() made, in UTF-8; empty for other results and NULL. The string belongs to the result.
 */
const char *clforge_result_json(const struct clforge_result *result);

/*
 The diagnostics as text for people, each with its line of the source and a caret, in UTF-8; empty if there are none, and
 for NULL. The string belongs to the result.
 */
const char *clforge_result_text(const struct clforge_result *result);

/*
 The number of diagnostics; notes count. 0 for NULL.
 */
size_t clforge_result_diagnostic_count(const struct clforge_result *result);

/*
 A diagnostic, from 0 on in the order in which they were found; NULL if there is no such one. It belongs to the result.
 */
const struct clforge_diagnostic *clforge_result_diagnostic(const struct clforge_result *result, size_t index);

/*
 The number of files that the source included, for build systems; 0 for NULL.
 */
size_t clforge_result_dependency_count(const struct clforge_result *result);

/*
 The name of an included file, from 0 on; NULL if there is no such one. The string belongs to the result.
 */
const char *clforge_result_dependency(const struct clforge_result *result, size_t index);

/*
 Frees a result with all that belongs to it. NULL is allowed. No thread may use the result meanwhile or later.
 */
void clforge_result_free(struct clforge_result *result);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CLFORGE_H */
