//! Messages of the Khronos validation layer, printed and collected.

use ash::vk;
use std::ffi::{CStr, c_void};
use std::sync::{Arc, Mutex};

/// Collects the warnings and errors of the layer.
#[derive(Default)]
pub(crate) struct ValidationLog {
    messages: Mutex<Vec<String>>,
}

impl ValidationLog {
    /// Everything reported so far.
    pub fn messages(&self) -> Vec<String> {
        self.messages.lock().map(|messages| messages.clone()).unwrap_or_default()
    }
}

/// Whether a validation layer written for version `layer` of the specification knows an extension that kernels can
/// use. An older one reports structures that it does not know as errors, on drivers newer than itself.
pub(super) fn layer_knows(layer: u32, extension: &CStr) -> bool {
    let of_276 = [ash::khr::shader_subgroup_rotate::NAME, ash::khr::shader_expect_assume::NAME];
    layer >= vk::make_api_version(0, 1, 3, 276) || !of_276.contains(&extension)
}

/// How to create a messenger that writes to `log`, which must outlive it.
pub(crate) fn messenger_info(log: &Arc<ValidationLog>) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::WARNING | vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
        .message_type(
            vk::DebugUtilsMessageTypeFlagsEXT::GENERAL
                | vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION
                | vk::DebugUtilsMessageTypeFlagsEXT::PERFORMANCE,
        )
        .pfn_user_callback(Some(callback))
        .user_data(Arc::as_ptr(log).cast_mut().cast())
}

/// # Safety
/// Called by the loader only: `data` is valid for the call, `user` is the log given to [`messenger_info`].
unsafe extern "system" fn callback(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: see above; a null message is checked for.
    let (text, log) = unsafe {
        let message = (*data).p_message;
        if message.is_null() || user.is_null() {
            return vk::FALSE;
        }
        (CStr::from_ptr(message).to_string_lossy().into_owned(), &*user.cast::<ValidationLog>())
    };
    // A panic must not unwind into the loader: no println! family here, their failure panics.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("validation: {text}\n").as_bytes());
    if let Ok(mut messages) = log.messages.lock() {
        messages.push(text);
    }
    vk::FALSE
}
