//! Programs in an intermediate language: SPIR-V modules for OpenCL environments (`clCreateProgramWithIL`).

use crate::error::{Error, Result, ensure};
use clforge_compiler::{SpecValue, is_for_opencl, spec_constant_size, specialize};
use opencl_sys::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The first word of a module.
const MAGIC: u32 = 0x0723_0203;

/// A module, with values for its specialisation constants.
#[derive(Debug)]
pub struct Il {
    /// As it was given (`CL_PROGRAM_IL`).
    pub bytes: Arc<[u8]>,
    words: Vec<u32>,
    /// The bits of values, by the constants' numbers (`SpecId`).
    constants: Mutex<BTreeMap<u32, u64>>,
}

impl Il {
    /// Reads a module, in words of either byte order.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for what is no SPIR-V module for OpenCL.
    pub fn new(bytes: &[u8]) -> Result<Il> {
        let (chunks, rest) = bytes.as_chunks::<4>();
        let is_swapped = chunks.first().is_some_and(|first| u32::from_ne_bytes(*first).swap_bytes() == MAGIC);
        let word = |chunk: &[u8; 4]| {
            let word = u32::from_ne_bytes(*chunk);
            if is_swapped { word.swap_bytes() } else { word }
        };
        let words: Vec<u32> = chunks.iter().map(word).collect();
        let is_module = rest.is_empty() && is_for_opencl(&words);
        ensure(is_module, CL_INVALID_VALUE, "the intermediate language is no SPIR-V module for OpenCL")?;
        Ok(Il { bytes: bytes.into(), words, constants: Mutex::default() })
    }

    /// Bytes of the value of a specialisation constant.
    ///
    /// # Errors
    /// `CL_INVALID_SPEC_ID`.
    pub fn constant_size(&self, number: u32) -> Result<usize> {
        let size = spec_constant_size(&self.words, number);
        let size = size.map_err(|error| Error::new(CL_INVALID_PROGRAM, error.to_string()))?;
        Ok(size.ok_or_else(|| Error::new(CL_INVALID_SPEC_ID, "the module has no such constant"))? as usize)
    }

    /// Sets the value of a specialisation constant for later builds (`clSetProgramSpecializationConstant`).
    ///
    /// # Errors
    /// `CL_INVALID_SPEC_ID`, `CL_INVALID_VALUE` where the value has another size than the constant.
    pub fn set_constant(&self, number: u32, value: &[u8]) -> Result<()> {
        ensure(
            value.len() == self.constant_size(number)?,
            CL_INVALID_VALUE,
            "a value of another size than the constant",
        )?;
        let mut bits = [0; 8];
        bits.iter_mut().zip(value).for_each(|(to, from)| *to = *from);
        let mut constants = self.constants.lock().unwrap_or_else(PoisonError::into_inner);
        constants.insert(number, u64::from_le_bytes(bits));
        Ok(())
    }

    /// The words with the constants' values.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM` where they are no module.
    pub fn specialized(&self) -> Result<Vec<u32>> {
        let constants = self.constants.lock().unwrap_or_else(PoisonError::into_inner);
        let values: Vec<(u32, SpecValue)> =
            constants.iter().map(|(number, bits)| (*number, SpecValue::Bits(*bits))).collect();
        specialize(&self.words, &values).map_err(|error| Error::new(CL_INVALID_PROGRAM, error.to_string()))
    }
}
