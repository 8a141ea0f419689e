//! The kinds of images of OpenCL C and the access qualifiers of their parameters: terms that the syntax, the types, the
//! IR and the emitters share.

/// Shapes of image types (6.3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ImageShape {
    D1,
    D1Buffer,
    D1Array,
    D2,
    D2Array,
    D3,
    D2Depth,
    D2ArrayDepth,
    D2Msaa,
    D2ArrayMsaa,
    D2MsaaDepth,
    D2ArrayMsaaDepth,
}

impl ImageShape {
    /// Every shape.
    pub const ALL: [ImageShape; 12] = [
        ImageShape::D1,
        ImageShape::D1Buffer,
        ImageShape::D1Array,
        ImageShape::D2,
        ImageShape::D2Array,
        ImageShape::D3,
        ImageShape::D2Depth,
        ImageShape::D2ArrayDepth,
        ImageShape::D2Msaa,
        ImageShape::D2ArrayMsaa,
        ImageShape::D2MsaaDepth,
        ImageShape::D2ArrayMsaaDepth,
    ];

    /// Its name in OpenCL C.
    pub fn name(self) -> &'static str {
        match self {
            ImageShape::D1 => "image1d_t",
            ImageShape::D1Buffer => "image1d_buffer_t",
            ImageShape::D1Array => "image1d_array_t",
            ImageShape::D2 => "image2d_t",
            ImageShape::D2Array => "image2d_array_t",
            ImageShape::D3 => "image3d_t",
            ImageShape::D2Depth => "image2d_depth_t",
            ImageShape::D2ArrayDepth => "image2d_array_depth_t",
            ImageShape::D2Msaa => "image2d_msaa_t",
            ImageShape::D2ArrayMsaa => "image2d_array_msaa_t",
            ImageShape::D2MsaaDepth => "image2d_msaa_depth_t",
            ImageShape::D2ArrayMsaaDepth => "image2d_array_msaa_depth_t",
        }
    }

    /// Dimensions, without the layers of arrays.
    pub fn dimensions(self) -> u8 {
        match self {
            ImageShape::D1 | ImageShape::D1Buffer | ImageShape::D1Array => 1,
            ImageShape::D3 => 3,
            _ => 2,
        }
    }

    /// Whether it has layers.
    pub fn is_array(self) -> bool {
        matches!(
            self,
            ImageShape::D1Array
                | ImageShape::D2Array
                | ImageShape::D2ArrayDepth
                | ImageShape::D2ArrayMsaa
                | ImageShape::D2ArrayMsaaDepth
        )
    }

    /// Whether texels are single depths.
    pub fn is_depth(self) -> bool {
        matches!(
            self,
            ImageShape::D2Depth | ImageShape::D2ArrayDepth | ImageShape::D2MsaaDepth | ImageShape::D2ArrayMsaaDepth
        )
    }

    /// Whether texels have several samples.
    pub fn is_multisampled(self) -> bool {
        matches!(
            self,
            ImageShape::D2Msaa | ImageShape::D2ArrayMsaa | ImageShape::D2MsaaDepth | ImageShape::D2ArrayMsaaDepth
        )
    }
}

/// An access qualifier of an image or pipe (OpenCL C 6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AccessQualifier {
    ReadOnly,
    WriteOnly,
    ReadWrite,
}

impl AccessQualifier {
    /// Every qualifier.
    pub const ALL: [AccessQualifier; 3] =
        [AccessQualifier::ReadOnly, AccessQualifier::WriteOnly, AccessQualifier::ReadWrite];
}
