import PortolanWeb

/// A format that an operation of a WMS offers.
public struct WMSFormat: Hashable, Sendable, CustomStringConvertible {
    /// The format as the document writes it: a media type, or in version 1.0.0 the name of an element.
    public let verbatim: String

    /// Makes a format from the text of the document.
    public init(_ verbatim: String) {
        self.verbatim = verbatim
    }

    /// The media type in small letters; version 1.0.0's names are translated, unknown ones stay as they are.
    public var mediaType: String {
        Self.names.first { $0.element == verbatim.uppercased() }?.mediaType ?? verbatim.lowercased()
    }

    /// The media type without parameters such as `; mode=8bit`.
    public var bareMediaType: String { MediaType(mediaType).essence }

    /// Whether its pictures can be transparent in places.
    package var hasTransparency: Bool { !["image/jpeg", "image/jpg", "image/bmp"].contains(bareMediaType) }

    /// Whether what comes may be a picture: drawings, pages and archives have types of their own, as `application/dxf`.
    package var mayBePicture: Bool {
        !mediaType.contains("/") || mediaType.hasPrefix("image/") || bareMediaType == "application/octet-stream"
    }

    /// The format as the document writes it.
    public var description: String { verbatim }

    /// The name by which version 1.0.0 asks for the format.
    package var elementName: String {
        Self.names.first { $0.mediaType == verbatim.lowercased() }?.element ?? verbatim
    }

    private static let names: [(element: String, mediaType: String)] = [
        ("PNG", "image/png"), ("JPEG", "image/jpeg"), ("GIF", "image/gif"), ("TIFF", "image/tiff"),
        ("SVG", "image/svg+xml"), ("PPM", "image/x-portable-pixmap"), ("WBMP", "image/vnd.wap.wbmp"),
        ("WEBCGM", "image/cgm;version=4;profileid=webcgm"), ("GEOTIFF", "image/geotiff"),
        ("WMS_XML", "application/vnd.ogc.wms_xml"), ("GML.1", "application/vnd.ogc.gml"), ("MIME", "text/plain"),
        ("INIMAGE", "application/vnd.ogc.se_inimage"), ("BLANK", "application/vnd.ogc.se_blank"),
    ]
}
