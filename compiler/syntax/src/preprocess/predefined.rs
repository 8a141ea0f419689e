//! Predefined macros. Each is created when its name is first looked up, so a program pays only for those that it uses.
//!
//! Values are those of the OpenCL C specification: 6.2 (features and extensions), 6.10 (preprocessor), 6.15.2.1 and
//! 6.15.3 (constants), 6.15.15 (image formats). Some names of other C compilers that headers test for are defined here too.

use clforge_basic::narrow::to_u32;
use std::borrow::Cow;

use super::Preprocessor;
use super::characters::Decoded;
use super::macros::{Dynamic, FIRST_MACRO, NOT_A_MACRO};
use clforge_basic::options::{AddressBits, ClStd, OpenClVersion, Options, Target};
use clforge_basic::source::Symbol;

/// When a macro is predefined.
#[derive(Clone, Copy, Debug)]
enum When {
    Always,
    /// OpenCL C 2.0 or newer.
    Cl20,
    /// OpenCL C 3.0 or newer.
    Cl30,
    /// On the OpenCL target only.
    OpenCl,
    /// OpenCL C 3.0 or newer, in environments that have what OpenCL 2.0 brought.
    Cl30In20,
    /// OpenCL C 2.0 or newer, in environments that have pipes.
    PipesCl20,
    /// OpenCL C 2.0 or 3.0 for a device of at least OpenCL 2.0: what device enqueue needs.
    Device20Cl20,
    Device20Cl30,
    /// With `-cl-fast-relaxed-math`.
    FastMath,
}

/// Starts the definition of a function-like macro.
const FUNCTION_LIKE: char = '\u{1}';

/// One predefined macro.
struct Row {
    name: &'static str,
    /// The replacement list; a parameter list before it is marked by [`FUNCTION_LIKE`].
    definition: &'static str,
    when: When,
}

const fn row(name: &'static str, definition: &'static str, when: When) -> Row {
    Row { name, definition, when }
}

impl When {
    fn holds(self, options: &Options) -> bool {
        let (opencl, language) = (!options.target.is_vulkan(), options.language.version());
        let from_2_0 = options.target != Target::OpenCl(OpenClVersion::V1_2);
        match self {
            When::Always => true,
            When::Cl20 => language >= ClStd::CL2_0,
            When::Cl30 => language >= ClStd::CL3_0,
            When::OpenCl => opencl,
            When::Cl30In20 => from_2_0 && language >= ClStd::CL3_0,
            When::PipesCl20 => options.target.has_pipes() && language >= ClStd::CL2_0,
            When::Device20Cl20 => options.has_device_enqueue() && language >= ClStd::CL2_0,
            When::Device20Cl30 => options.has_device_enqueue() && language >= ClStd::CL3_0,
            When::FastMath => options.language.math.fast_relaxed,
        }
    }
}

/// The value of `__OPENCL_VERSION__`: the version of the device, whatever `-cl-std` says (OpenCL C 6.10). A program is the
/// same where nobody asks it.
fn device_version(options: &Options) -> u32 {
    let device = match options.target {
        Target::Vulkan(_) => options.device.opencl,
        Target::OpenCl(version) => version,
    };
    // A language newer than the target needs a device that has it.
    device.version_number().max(options.language.version().version_number())
}

/// The definition, or that there is none, of the macros that differ where pointers have 32 bits, as clang's target `spir` has
/// them.
fn of_32_bits(name: &str) -> Option<Option<&'static str>> {
    Some(match name {
        "__INTPTR_MAX__" | "__PTRDIFF_MAX__" => Some("2147483647"),
        "__INTPTR_TYPE__" | "__PTRDIFF_TYPE__" => Some("int"),
        "__POINTER_WIDTH__" => Some("32"),
        "__SIZEOF_POINTER__" | "__SIZEOF_SIZE_T__" => Some("4"),
        "__SIZE_MAX__" | "__UINTPTR_MAX__" => Some("4294967295U"),
        "__SIZE_TYPE__" | "__UINTPTR_TYPE__" => Some("unsigned int"),
        "__SPIR32__" => Some("1"),
        "_LP64" | "__LP64__" | "__SPIR64__" => None,
        _ => return None,
    })
}

/// The definition of a predefined macro: what follows its name.
fn definition(name: &str, options: &Options) -> Option<Cow<'static, str>> {
    match name {
        "__OPENCL_VERSION__" => return Some(device_version(options).to_string().into()),
        "__OPENCL_C_VERSION__" => return Some(options.language.version().version_number().to_string().into()),
        _ => {}
    }
    if options.language.address_bits == AddressBits::Bits32
        && let Some(definition) = of_32_bits(name)
    {
        return definition.map(Cow::Borrowed);
    }
    // C compilers know the limits of floating types by other names as well.
    let limit = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
    if let Some(limit) = limit.filter(|limit| limit.starts_with("FLT_") || limit.starts_with("DBL_"))
        && let Some(definition) = definition(limit, options)
    {
        return Some(definition);
    }
    let index = ROWS.binary_search_by(|row| row.name.cmp(name)).ok()?;
    let row = &ROWS[index];
    row.when.holds(options).then_some(Cow::Borrowed(row.definition))
}

/// Whether an extension is known, and whether its macro is predefined.
pub fn extension(name: &str, options: &Options) -> Option<bool> {
    let known = ["cl_khr_", "cl_intel_", "cl_ext_", "cl_arm_"].iter().any(|start| name.starts_with(start))
        && ROWS.binary_search_by(|row| row.name.cmp(name)).is_ok();
    known.then(|| definition(name, options).is_some())
}

fn dynamic(name: &str) -> Option<Dynamic> {
    Some(match name {
        "__FILE__" | "__FILE_NAME__" => Dynamic::File,
        "__LINE__" => Dynamic::Line,
        "__COUNTER__" => Dynamic::Counter,
        "__INCLUDE_LEVEL__" => Dynamic::IncludeLevel,
        "__BASE_FILE__" => Dynamic::BaseFile,
        "__has_extension" | "__has_feature" => Dynamic::HasFeature,
        "__has_attribute" => Dynamic::HasAttribute,
        "__has_builtin" => Dynamic::HasBuiltin,
        "__has_c_attribute" | "__has_cpp_attribute" | "__has_declspec_attribute" | "__has_warning" => {
            Dynamic::HasNothing
        }
        "__has_include" => Dynamic::HasInclude,
        _ => return None,
    })
}

/// A quick look at a name: most identifiers of a program are none of ours.
fn may_be_predefined(name: &str) -> bool {
    match name.as_bytes() {
        [b'A'..=b'Z' | b'_', ..] => true,
        [b'c', rest @ ..] => {
            ["l_khr_", "l_ext_", "l_arm_", "l_intel_"].iter().any(|start| rest.starts_with(start.as_bytes()))
        }
        [b't' | b'f' | b'k', ..] => matches!(name, "true" | "false" | "kernel_exec"),
        _ => false,
    }
}

impl Preprocessor<'_> {
    /// Looks a name up for the first time.
    pub(super) fn look_up_predefined(&mut self, name: Symbol) -> Option<usize> {
        *self.slot_mut(name) = NOT_A_MACRO;
        let text = self.interner.text(name);
        if !may_be_predefined(text) {
            return None;
        }
        if let Some(dynamic) = dynamic(text) {
            return Some(self.install_dynamic(name, dynamic));
        }
        let definition = definition(text, self.options)?;
        let source = match definition.strip_prefix(FUNCTION_LIKE) {
            Some(rest) => format!("#define {text}{rest}"),
            None => format!("#define {text} {definition}"),
        };
        let height = self.files.len();
        if !self.open("<built-in>", Decoded::made(source), None) {
            return None;
        }
        self.seek("#define ".len());
        let definition = self.definition(true);
        self.files.truncate(height);
        let id = self.install(definition?);
        debug_assert_eq!(self.slots[name.index()], to_u32(id) + FIRST_MACRO);
        Some(id)
    }
}

/// All that are fixed texts, in order of name.
static ROWS: &[Row] = &[
    row("ATOMIC_FLAG_INIT", "0", When::Cl20),
    row("ATOMIC_VAR_INIT", "\u{1}(x) (x)", When::Cl20),
    row("CHAR_BIT", "8", When::Always),
    row("CHAR_MAX", "SCHAR_MAX", When::Always),
    row("CHAR_MIN", "SCHAR_MIN", When::Always),
    row("CLK_A", "0x10b1", When::Always),
    row("CLK_ABGR", "0x10c3", When::Cl20),
    row("CLK_ADDRESS_CLAMP", "4", When::Always),
    row("CLK_ADDRESS_CLAMP_TO_EDGE", "2", When::Always),
    row("CLK_ADDRESS_MIRRORED_REPEAT", "8", When::Always),
    row("CLK_ADDRESS_NONE", "0", When::Always),
    row("CLK_ADDRESS_REPEAT", "6", When::Always),
    row("CLK_ARGB", "0x10b7", When::Always),
    row("CLK_BGRA", "0x10b6", When::Always),
    row("CLK_COOPERATIVE_MATRIX_A", "0", When::Always),
    row("CLK_COOPERATIVE_MATRIX_ACCUMULATOR", "2", When::Always),
    row("CLK_COOPERATIVE_MATRIX_B", "1", When::Always),
    row("CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR", "1", When::Always),
    row("CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR", "0", When::Always),
    row("CLK_COOPERATIVE_MATRIX_OPERAND_NONE", "0", When::Always),
    row("CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION", "0x10", When::Always),
    row("CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP", "3", When::Always),
    row("CLK_DEPTH", "0x10bd", When::Always),
    row("CLK_DEPTH_STENCIL", "0x10be", When::Always),
    row("CLK_DEVICE_QUEUE_FULL", "-161", When::Device20Cl20),
    row("CLK_ENQUEUE_FAILURE", "-101", When::Device20Cl20),
    row("CLK_ENQUEUE_FLAGS_NO_WAIT", "0x0", When::Device20Cl20),
    row("CLK_ENQUEUE_FLAGS_WAIT_KERNEL", "0x1", When::Device20Cl20),
    row("CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP", "0x2", When::Device20Cl20),
    row("CLK_EVENT_ALLOCATION_FAILURE", "-100", When::Device20Cl20),
    row("CLK_FILTER_LINEAR", "0x20", When::Always),
    row("CLK_FILTER_NEAREST", "0x10", When::Always),
    row("CLK_FLOAT", "0x10de", When::Always),
    row("CLK_GLOBAL_MEM_FENCE", "0x2", When::Always),
    row("CLK_HALF_FLOAT", "0x10dd", When::Always),
    row("CLK_IMAGE_MEM_FENCE", "0x4", When::Cl20),
    row("CLK_INTENSITY", "0x10b8", When::Always),
    row("CLK_INVALID_ARG_SIZE", "-51", When::Device20Cl20),
    row("CLK_INVALID_EVENT_WAIT_LIST", "-57", When::Device20Cl20),
    row("CLK_INVALID_NDRANGE", "-160", When::Device20Cl20),
    row("CLK_INVALID_QUEUE", "-102", When::Device20Cl20),
    row("CLK_LOCAL_MEM_FENCE", "0x1", When::Always),
    row("CLK_LUMINANCE", "0x10b9", When::Always),
    row("CLK_NORMALIZED_COORDS_FALSE", "0", When::Always),
    row("CLK_NORMALIZED_COORDS_TRUE", "1", When::Always),
    row("CLK_NULL_EVENT", "((clk_event_t)0)", When::Device20Cl20),
    row("CLK_NULL_QUEUE", "((queue_t)0)", When::Device20Cl20),
    row("CLK_NULL_RESERVE_ID", "((reserve_id_t)0)", When::PipesCl20),
    row("CLK_OUT_OF_RESOURCES", "-5", When::Device20Cl20),
    row("CLK_PROFILING_COMMAND_EXEC_TIME", "0x1", When::Device20Cl20),
    row("CLK_R", "0x10b0", When::Always),
    row("CLK_RA", "0x10b3", When::Always),
    row("CLK_RG", "0x10b2", When::Always),
    row("CLK_RGB", "0x10b4", When::Always),
    row("CLK_RGBA", "0x10b5", When::Always),
    row("CLK_RGBx", "0x10bc", When::Always),
    row("CLK_RGx", "0x10bb", When::Always),
    row("CLK_Rx", "0x10ba", When::Always),
    row("CLK_SIGNED_INT16", "0x10d8", When::Always),
    row("CLK_SIGNED_INT32", "0x10d9", When::Always),
    row("CLK_SIGNED_INT8", "0x10d7", When::Always),
    row("CLK_SNORM_INT16", "0x10d1", When::Always),
    row("CLK_SNORM_INT8", "0x10d0", When::Always),
    row("CLK_SUCCESS", "0", When::Device20Cl20),
    row("CLK_UNORM_10X6_EXT", "0x10e1", When::Always),
    row("CLK_UNORM_12X4_EXT", "0x10e9", When::Always),
    row("CLK_UNORM_14X2_EXT", "0x10ea", When::Always),
    row("CLK_UNORM_INT10X6_EXT", "0x10e1", When::Always),
    row("CLK_UNORM_INT12X4_EXT", "0x10e9", When::Always),
    row("CLK_UNORM_INT14X2_EXT", "0x10ea", When::Always),
    row("CLK_UNORM_INT16", "0x10d3", When::Always),
    row("CLK_UNORM_INT24", "0x10df", When::Always),
    row("CLK_UNORM_INT8", "0x10d2", When::Always),
    row("CLK_UNORM_INT_101010", "0x10d6", When::Always),
    row("CLK_UNORM_INT_101010_2", "0x10e0", When::Cl30),
    row("CLK_UNORM_INT_2_101010_EXT", "0x10e5", When::Always),
    row("CLK_UNORM_SHORT_555", "0x10d5", When::Always),
    row("CLK_UNORM_SHORT_565", "0x10d4", When::Always),
    row("CLK_UNSIGNED_INT10X6_EXT", "0x10e6", When::Always),
    row("CLK_UNSIGNED_INT12X4_EXT", "0x10e7", When::Always),
    row("CLK_UNSIGNED_INT14X2_EXT", "0x10e8", When::Always),
    row("CLK_UNSIGNED_INT16", "0x10db", When::Always),
    row("CLK_UNSIGNED_INT32", "0x10dc", When::Always),
    row("CLK_UNSIGNED_INT8", "0x10da", When::Always),
    row("CLK_UNSIGNED_INT_RAW10_EXT", "0x10e3", When::Always),
    row("CLK_UNSIGNED_INT_RAW12_EXT", "0x10e4", When::Always),
    row("CLK_sBGRA", "0x10c2", When::Cl20),
    row("CLK_sRGB", "0x10bf", When::Cl20),
    row("CLK_sRGBA", "0x10c1", When::Cl20),
    row("CLK_sRGBx", "0x10c0", When::Cl20),
    row("CL_COMPLETE", "0x0", When::Device20Cl20),
    row("CL_QUEUED", "0x3", When::Device20Cl20),
    row("CL_RUNNING", "0x1", When::Device20Cl20),
    row("CL_SUBMITTED", "0x2", When::Device20Cl20),
    row("CL_VERSION_1_0", "100", When::Always),
    row("CL_VERSION_1_1", "110", When::Always),
    row("CL_VERSION_1_2", "120", When::Always),
    row("CL_VERSION_2_0", "200", When::Always),
    row("CL_VERSION_3_0", "300", When::Always),
    row("CL_VERSION_3_1", "310", When::Always),
    row("DBL_DIG", "15", When::Always),
    row("DBL_EPSILON", "0x1.0p-52", When::Always),
    row("DBL_MANT_DIG", "53", When::Always),
    row("DBL_MAX", "0x1.fffffffffffffp1023", When::Always),
    row("DBL_MAX_10_EXP", "+308", When::Always),
    row("DBL_MAX_EXP", "+1024", When::Always),
    row("DBL_MIN", "0x1.0p-1022", When::Always),
    row("DBL_MIN_10_EXP", "-307", When::Always),
    row("DBL_MIN_EXP", "-1021", When::Always),
    row("DBL_RADIX", "2", When::Always),
    row("FLT_DIG", "6", When::Always),
    row("FLT_EPSILON", "0x1.0p-23f", When::Always),
    row("FLT_MANT_DIG", "24", When::Always),
    row("FLT_MAX", "0x1.fffffep127f", When::Always),
    row("FLT_MAX_10_EXP", "+38", When::Always),
    row("FLT_MAX_EXP", "+128", When::Always),
    row("FLT_MIN", "0x1.0p-126f", When::Always),
    row("FLT_MIN_10_EXP", "-37", When::Always),
    row("FLT_MIN_EXP", "-125", When::Always),
    row("FLT_RADIX", "2", When::Always),
    row("FP_ILOGB0", "INT_MIN", When::Always),
    row("FP_ILOGBNAN", "INT_MAX", When::Always),
    row("HALF_DIG", "3", When::Always),
    row("HALF_EPSILON", "0x1.0p-10h", When::Always),
    row("HALF_MANT_DIG", "11", When::Always),
    row("HALF_MAX", "0x1.ffcp15h", When::Always),
    row("HALF_MAX_10_EXP", "+4", When::Always),
    row("HALF_MAX_EXP", "+16", When::Always),
    row("HALF_MIN", "0x1.0p-14h", When::Always),
    row("HALF_MIN_10_EXP", "-4", When::Always),
    row("HALF_MIN_EXP", "-13", When::Always),
    row("HALF_RADIX", "2", When::Always),
    row("HUGE_VAL", "((double)__builtin_inff())", When::Always),
    row("HUGE_VALF", "(__builtin_inff())", When::Always),
    row("INFINITY", "(__builtin_inff())", When::Always),
    row("INT_MAX", "2147483647", When::Always),
    row("INT_MIN", "(-2147483647 - 1)", When::Always),
    row("LONG_MAX", "0x7fffffffffffffffL", When::Always),
    row("LONG_MIN", "(-0x7fffffffffffffffL - 1)", When::Always),
    row("MAXFLOAT", "0x1.fffffep127f", When::Always),
    row("M_1_PI", "0.318309886183790671537768", When::Always),
    row("M_1_PI_F", "0.318309886183790671537768f", When::Always),
    row("M_1_PI_H", "0.318309886183790671537768h", When::Always),
    row("M_2_PI", "0.636619772367581343075535", When::Always),
    row("M_2_PI_F", "0.636619772367581343075535f", When::Always),
    row("M_2_PI_H", "0.636619772367581343075535h", When::Always),
    row("M_2_SQRTPI", "1.128379167095512573896159", When::Always),
    row("M_2_SQRTPI_F", "1.128379167095512573896159f", When::Always),
    row("M_2_SQRTPI_H", "1.128379167095512573896159h", When::Always),
    row("M_E", "2.718281828459045235360287", When::Always),
    row("M_E_F", "2.718281828459045235360287f", When::Always),
    row("M_E_H", "2.718281828459045235360287h", When::Always),
    row("M_LN10", "2.302585092994045684017991", When::Always),
    row("M_LN10_F", "2.302585092994045684017991f", When::Always),
    row("M_LN10_H", "2.302585092994045684017991h", When::Always),
    row("M_LN2", "0.693147180559945309417232", When::Always),
    row("M_LN2_F", "0.693147180559945309417232f", When::Always),
    row("M_LN2_H", "0.693147180559945309417232h", When::Always),
    row("M_LOG10E", "0.434294481903251827651129", When::Always),
    row("M_LOG10E_F", "0.434294481903251827651129f", When::Always),
    row("M_LOG10E_H", "0.434294481903251827651129h", When::Always),
    row("M_LOG2E", "1.442695040888963407359925", When::Always),
    row("M_LOG2E_F", "1.442695040888963407359925f", When::Always),
    row("M_LOG2E_H", "1.442695040888963407359925h", When::Always),
    row("M_PI", "3.141592653589793238462643", When::Always),
    row("M_PI_2", "1.570796326794896619231322", When::Always),
    row("M_PI_2_F", "1.570796326794896619231322f", When::Always),
    row("M_PI_2_H", "1.570796326794896619231322h", When::Always),
    row("M_PI_4", "0.785398163397448309615661", When::Always),
    row("M_PI_4_F", "0.785398163397448309615661f", When::Always),
    row("M_PI_4_H", "0.785398163397448309615661h", When::Always),
    row("M_PI_F", "3.141592653589793238462643f", When::Always),
    row("M_PI_H", "3.141592653589793238462643h", When::Always),
    row("M_SQRT1_2", "0.707106781186547524400844", When::Always),
    row("M_SQRT1_2_F", "0.707106781186547524400844f", When::Always),
    row("M_SQRT1_2_H", "0.707106781186547524400844h", When::Always),
    row("M_SQRT2", "1.414213562373095048801689", When::Always),
    row("M_SQRT2_F", "1.414213562373095048801689f", When::Always),
    row("M_SQRT2_H", "1.414213562373095048801689h", When::Always),
    row("NAN", "(__builtin_nanf(\"\"))", When::Always),
    row("NULL", "((void*)0)", When::Always),
    row("SCHAR_MAX", "127", When::Always),
    row("SCHAR_MIN", "(-127 - 1)", When::Always),
    row("SHRT_MAX", "32767", When::Always),
    row("SHRT_MIN", "(-32767 - 1)", When::Always),
    row("UCHAR_MAX", "255", When::Always),
    row("UINT_MAX", "0xffffffff", When::Always),
    row("ULONG_MAX", "0xffffffffffffffffUL", When::Always),
    row("USHRT_MAX", "65535", When::Always),
    row("_LP64", "1", When::Always),
    row("__ATOMIC_ACQUIRE", "2", When::Always),
    row("__ATOMIC_ACQ_REL", "4", When::Always),
    row("__ATOMIC_CONSUME", "1", When::Always),
    row("__ATOMIC_RELAXED", "0", When::Always),
    row("__ATOMIC_RELEASE", "3", When::Always),
    row("__ATOMIC_SEQ_CST", "5", When::Always),
    row("__BYTE_ORDER__", "__ORDER_LITTLE_ENDIAN__", When::Always),
    row("__CHAR_BIT__", "8", When::Always),
    row("__CLFORGE__", "1", When::Always),
    row("__DATE__", "\"Jan  1 1970\"", When::Always),
    row("__DBL_DECIMAL_DIG__", "17", When::Always),
    row("__DBL_DENORM_MIN__", "0x1.0p-1074", When::Always),
    row("__DBL_HAS_DENORM__", "1", When::Always),
    row("__DBL_HAS_INFINITY__", "1", When::Always),
    row("__DBL_HAS_QUIET_NAN__", "1", When::Always),
    row("__ENDIAN_LITTLE__", "1", When::Always),
    row("__FAST_RELAXED_MATH__", "1", When::FastMath),
    row("__FLT_DECIMAL_DIG__", "9", When::Always),
    row("__FLT_DENORM_MIN__", "0x1.0p-149f", When::Always),
    row("__FLT_HAS_DENORM__", "1", When::Always),
    row("__FLT_HAS_INFINITY__", "1", When::Always),
    row("__FLT_HAS_QUIET_NAN__", "1", When::Always),
    row("__IMAGE_SUPPORT__", "1", When::Always),
    row("__INT16_MAX__", "32767", When::Always),
    row("__INT16_TYPE__", "short", When::Always),
    row("__INT32_MAX__", "2147483647", When::Always),
    row("__INT32_TYPE__", "int", When::Always),
    row("__INT64_MAX__", "9223372036854775807L", When::Always),
    row("__INT64_TYPE__", "long", When::Always),
    row("__INT8_MAX__", "127", When::Always),
    row("__INT8_TYPE__", "signed char", When::Always),
    row("__INTPTR_MAX__", "9223372036854775807L", When::Always),
    row("__INTPTR_TYPE__", "long", When::Always),
    row("__INT_MAX__", "2147483647", When::Always),
    row("__INT_WIDTH__", "32", When::Always),
    row("__LITTLE_ENDIAN__", "1", When::Always),
    row("__LONG_MAX__", "9223372036854775807L", When::Always),
    row("__LONG_WIDTH__", "64", When::Always),
    row("__LP64__", "1", When::Always),
    row("__ORDER_BIG_ENDIAN__", "4321", When::Always),
    row("__ORDER_LITTLE_ENDIAN__", "1234", When::Always),
    row("__POINTER_WIDTH__", "64", When::Always),
    row("__PTRDIFF_MAX__", "9223372036854775807L", When::Always),
    row("__PTRDIFF_TYPE__", "long", When::Always),
    row("__ROUNDING_MODE__", "rte", When::Always),
    row("__SCHAR_MAX__", "127", When::Always),
    row("__SHRT_MAX__", "32767", When::Always),
    row("__SHRT_WIDTH__", "16", When::Always),
    row("__SIZEOF_DOUBLE__", "8", When::Always),
    row("__SIZEOF_FLOAT__", "4", When::Always),
    row("__SIZEOF_INT__", "4", When::Always),
    row("__SIZEOF_LONG__", "8", When::Always),
    row("__SIZEOF_POINTER__", "8", When::Always),
    row("__SIZEOF_SHORT__", "2", When::Always),
    row("__SIZEOF_SIZE_T__", "8", When::Always),
    row("__SIZE_MAX__", "18446744073709551615UL", When::Always),
    row("__SIZE_TYPE__", "unsigned long", When::Always),
    row("__SPIR64__", "1", When::Always),
    row("__SPIR__", "1", When::Always),
    row("__STDC_HOSTED__", "0", When::Always),
    row("__STDC_VERSION__", "199901L", When::Always),
    row("__STDC__", "1", When::Always),
    row("__TIMESTAMP__", "\"Thu Jan  1 00:00:00 1970\"", When::Always),
    row("__TIME__", "\"00:00:00\"", When::Always),
    row("__UINT16_MAX__", "65535", When::Always),
    row("__UINT16_TYPE__", "unsigned short", When::Always),
    row("__UINT32_MAX__", "4294967295U", When::Always),
    row("__UINT32_TYPE__", "unsigned int", When::Always),
    row("__UINT64_MAX__", "18446744073709551615UL", When::Always),
    row("__UINT64_TYPE__", "unsigned long", When::Always),
    row("__UINT8_MAX__", "255", When::Always),
    row("__UINT8_TYPE__", "unsigned char", When::Always),
    row("__UINTPTR_MAX__", "18446744073709551615UL", When::Always),
    row("__UINTPTR_TYPE__", "unsigned long", When::Always),
    row(
        "__kernel_exec",
        "\u{1}(X, typen) __kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))",
        When::Always,
    ),
    row("__opencl_c_3d_image_writes", "1", When::Cl30),
    row("__opencl_c_atomic_order_acq_rel", "1", When::Cl30),
    row("__opencl_c_atomic_order_seq_cst", "1", When::Cl30),
    row("__opencl_c_atomic_scope_all_devices", "1", When::Cl30),
    row("__opencl_c_atomic_scope_device", "1", When::Cl30),
    row("__opencl_c_device_enqueue", "1", When::Device20Cl30),
    row("__opencl_c_ext_fp16_global_atomic_add", "1", When::Cl20),
    row("__opencl_c_ext_fp16_global_atomic_load_store", "1", When::Cl20),
    row("__opencl_c_ext_fp16_global_atomic_min_max", "1", When::Cl20),
    row("__opencl_c_ext_fp16_local_atomic_add", "1", When::Cl20),
    row("__opencl_c_ext_fp16_local_atomic_load_store", "1", When::Cl20),
    row("__opencl_c_ext_fp16_local_atomic_min_max", "1", When::Cl20),
    row("__opencl_c_ext_fp32_global_atomic_add", "1", When::Cl20),
    row("__opencl_c_ext_fp32_global_atomic_min_max", "1", When::Cl20),
    row("__opencl_c_ext_fp32_local_atomic_add", "1", When::Cl20),
    row("__opencl_c_ext_fp32_local_atomic_min_max", "1", When::Cl20),
    row("__opencl_c_ext_fp64_global_atomic_add", "1", When::Cl20),
    row("__opencl_c_ext_fp64_global_atomic_min_max", "1", When::Cl20),
    row("__opencl_c_ext_fp64_local_atomic_add", "1", When::Cl20),
    row("__opencl_c_ext_fp64_local_atomic_min_max", "1", When::Cl20),
    row("__opencl_c_ext_image_raw10_raw12", "1", When::Always),
    row("__opencl_c_ext_image_unorm_int_2_101010", "1", When::Always),
    row("__opencl_c_ext_image_unsigned_10x6_12x4_14x2", "1", When::Always),
    row("__opencl_c_fp64", "1", When::Cl30),
    row("__opencl_c_generic_address_space", "1", When::Cl30In20),
    row("__opencl_c_images", "1", When::Cl30),
    row("__opencl_c_int64", "1", When::Cl30),
    row("__opencl_c_integer_dot_product_input_4x8bit", "1", When::Cl30),
    row("__opencl_c_integer_dot_product_input_4x8bit_packed", "1", When::Cl30),
    row("__opencl_c_kernel_clock_scope_device", "1", When::Cl30),
    row("__opencl_c_kernel_clock_scope_sub_group", "1", When::Cl30),
    row("__opencl_c_kernel_clock_scope_work_group", "1", When::Cl30),
    row("__opencl_c_pipes", "1", When::Cl30In20),
    row("__opencl_c_program_scope_global_variables", "1", When::Cl30),
    row("__opencl_c_read_write_images", "1", When::Cl30In20),
    row("__opencl_c_subgroups", "1", When::Cl30),
    row("__opencl_c_work_group_collective_functions", "1", When::Cl30),
    row("cl_arm_integer_dot_product_accumulate_int16", "1", When::Always),
    row("cl_arm_integer_dot_product_accumulate_int8", "1", When::Always),
    row("cl_arm_integer_dot_product_accumulate_saturate_int8", "1", When::Always),
    row("cl_arm_integer_dot_product_int8", "1", When::Always),
    row("cl_ext_float_atomics", "1", When::Cl20),
    row("cl_ext_image_raw10_raw12", "1", When::Always),
    row("cl_ext_image_unorm_int_2_101010", "1", When::Always),
    row("cl_ext_image_unsigned_10x6_12x4_14x2", "1", When::Always),
    row("cl_intel_bfloat16_conversions", "1", When::Always),
    row("cl_intel_required_subgroup_size", "1", When::Always),
    row("cl_intel_split_work_group_barrier", "1", When::Always),
    row("cl_khr_3d_image_writes", "1", When::Always),
    row("cl_khr_async_work_group_copy_fence", "1", When::Always),
    row("cl_khr_byte_addressable_store", "1", When::Always),
    row("cl_khr_cooperative_matrix", "1", When::Always),
    row("cl_khr_depth_images", "1", When::Always),
    row("cl_khr_device_enqueue_local_arg_types", "1", When::Device20Cl20),
    row("cl_khr_extended_async_copies", "1", When::Always),
    row("cl_khr_extended_bit_ops", "1", When::Always),
    row("cl_khr_fp16", "1", When::Always),
    row("cl_khr_fp64", "1", When::Always),
    row("cl_khr_gl_msaa_sharing", "1", When::OpenCl),
    row("cl_khr_global_int32_base_atomics", "1", When::Always),
    row("cl_khr_global_int32_extended_atomics", "1", When::Always),
    row("cl_khr_initialize_memory", "1", When::Always),
    row("cl_khr_int64_base_atomics", "1", When::Always),
    row("cl_khr_int64_extended_atomics", "1", When::Always),
    row("cl_khr_integer_dot_product", "1", When::Always),
    row("cl_khr_kernel_clock", "1", When::Always),
    row("cl_khr_local_int32_base_atomics", "1", When::Always),
    row("cl_khr_local_int32_extended_atomics", "1", When::Always),
    row("cl_khr_mipmap_image", "1", When::Cl20),
    row("cl_khr_mipmap_image_writes", "1", When::Cl20),
    row("cl_khr_srgb_image_writes", "1", When::Always),
    row("cl_khr_subgroup_ballot", "1", When::Always),
    row("cl_khr_subgroup_clustered_reduce", "1", When::Always),
    row("cl_khr_subgroup_extended_types", "1", When::Always),
    row("cl_khr_subgroup_non_uniform_arithmetic", "1", When::Always),
    row("cl_khr_subgroup_non_uniform_vote", "1", When::Always),
    row("cl_khr_subgroup_rotate", "1", When::Always),
    row("cl_khr_subgroup_shuffle", "1", When::Always),
    row("cl_khr_subgroup_shuffle_relative", "1", When::Always),
    row("cl_khr_subgroups", "1", When::Always),
    row("cl_khr_work_group_uniform_arithmetic", "1", When::Cl20),
    row("false", "0", When::Always),
    row(
        "kernel_exec",
        "\u{1}(X, typen) __kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))",
        When::Always,
    ),
    row("true", "1", When::Always),
];

#[cfg(test)]
mod tests {
    use super::*;
    use clforge_basic::options::VulkanVersion;

    #[test]
    fn rows_are_in_order() {
        assert!(ROWS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn quick_look_misses_none() {
        assert!(ROWS.iter().all(|row| may_be_predefined(row.name)));
    }

    #[test]
    fn versions_and_targets() {
        let vulkan = Options::default();
        let opencl = Options::for_target(Target::OpenCl(OpenClVersion::V3_0)).with_cl_std(ClStd::CL3_0);
        let vulkan3 = Options::for_target(Target::Vulkan(VulkanVersion::V1_3)).with_cl_std(ClStd::CL3_0);
        let has = |name, options: &Options| definition(name, options).is_some();
        assert_eq!(definition("__OPENCL_C_VERSION__", &vulkan).as_deref(), Some("120"));
        assert_eq!(definition("__OPENCL_VERSION__", &opencl).as_deref(), Some("300"));
        assert!(has("cl_khr_fp64", &vulkan) && has("cl_khr_fp64", &opencl));
        assert!(!has("cl_khr_gl_msaa_sharing", &vulkan) && has("cl_khr_gl_msaa_sharing", &opencl));
        assert!(!has("__opencl_c_fp64", &vulkan) && has("__opencl_c_fp64", &vulkan3));
        assert!(!has("__opencl_c_device_enqueue", &vulkan) && has("__opencl_c_device_enqueue", &vulkan3));
        assert!(has("__opencl_c_device_enqueue", &opencl));
        assert!(!has("__opencl_c_pipes", &vulkan) && has("__opencl_c_pipes", &vulkan3));
        assert!(!has("__FAST_RELAXED_MATH__", &vulkan));
        assert_eq!(definition("__FLT_MAX__", &vulkan), definition("FLT_MAX", &vulkan));
        assert!(has("__DBL_MIN_EXP__", &vulkan) && has("__FLT_DENORM_MIN__", &vulkan) && !has("__FLT__", &vulkan));
    }
}
