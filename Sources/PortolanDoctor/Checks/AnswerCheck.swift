package import PortolanServices
import PortolanWeb

/// Checks the error responses of a service for an unknown layer.
package enum ExceptionCheck {
    /// The findings about a WMS response to a GetMap request for an unknown layer.
    ///
    /// - Parameters:
    ///   - version: the negotiated version; the request asks for the XML format of the version.
    ///   - status: the HTTP status.
    package static func findings(
        inAnswer body: [UInt8], status: Int, contentType: String?, version: WMSCapabilities.Version
    ) -> [Finding] {
        var list = FindingList()
        let subject = "version \(version)"
        guard let exception = ServiceExceptionReader.read(body, contentType: contentType) else {
            list.add(
                .fault, .exceptionShape, subject,
                "the response for an unknown layer is an image; a client cannot detect the error",
                remedy: "respond with an XML exception if EXCEPTIONS requests one")
            return list.findings
        }
        let expected: ServiceException.Shape = version == .v1_0_0 ? .wmtException : .serviceExceptionReport
        if exception.shape != expected {
            let shape = "\(exception.shape)".lowercased()
            list.add(
                .deviation, .exceptionShape, subject,
                "the exception is \(words(exception.shape)), but the version requires "
                    + "<\(version == .v1_0_0 ? "WMTException" : "ServiceExceptionReport")>; few clients can show why "
                    + "a map is missing",
                remedy: shape == "html" || shape == "text"
                    ? "respond in the format of EXCEPTIONS"
                    : "write exceptions by the schema of the version")
        }
        checkCode(of: exception, version, subject, into: &list)
        checkType(contentType, status: status, of: exception, version, subject, into: &list)
        return list.findings
    }

    /// The findings about a WMTS response to a GetTile request for an unknown layer.
    package static func findings(inTileAnswer body: [UInt8], status: Int, contentType: String?) -> [Finding] {
        var list = FindingList()
        guard let exception = ServiceExceptionReader.read(body, contentType: contentType) else {
            list.add(
                .fault, .exceptionShape, "GetTile",
                "the response for an unknown layer is an image; a client cannot detect the error",
                remedy: "respond with an exception report")
            return list.findings
        }
        if exception.shape != .owsExceptionReport {
            list.add(
                .deviation, .exceptionShape, "GetTile",
                "the exception is \(words(exception.shape)), not <ExceptionReport> (OGC 07-057r7 7.1.3)",
                remedy: "write exceptions by OWS Common 1.1.0")
        }
        if (200..<300).contains(status) {
            list.add(
                .deviation, .exceptionType, "GetTile",
                "the exception has status \(status); caches store it as the tile",
                remedy: "send status 400")
        }
        return list.findings
    }

    private static func words(_ shape: ServiceException.Shape) -> String {
        switch shape {
        case .serviceExceptionReport: "a <ServiceExceptionReport>"
        case .wmtException: "a <WMTException>"
        case .owsExceptionReport: "an <ExceptionReport>"
        case .html: "an HTML page"
        case .xml: "another XML document"
        case .text: "plain text"
        }
    }

    private static func checkCode(
        of exception: ServiceException, _ version: WMSCapabilities.Version, _ subject: String,
        into list: inout FindingList
    ) {
        // Version 1.0.0 has no codes.
        guard version > .v1_0_0, exception.shape == .serviceExceptionReport else { return }
        guard let code = exception.code else {
            return list.add(
                .deviation, .exceptionCode, subject,
                "the exception has no code; a program cannot identify the error",
                remedy: "write code=\"LayerNotDefined\"")
        }
        if code != .layerNotDefined {
            list.add(
                .deviation, .exceptionCode, subject, "the code is '\(code)', not 'LayerNotDefined'",
                remedy: "use the codes of the standard")
        }
    }

    private static func checkType(
        _ contentType: String?, status: Int, of exception: ServiceException, _ version: WMSCapabilities.Version,
        _ subject: String, into list: inout FindingList
    ) {
        let isXML = [.serviceExceptionReport, .wmtException, .owsExceptionReport].contains(exception.shape)
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().trimmingSpace()
        let usual = ["text/xml", "application/xml", "application/vnd.ogc.se_xml"]
        if isXML, !usual.contains(type) {
            list.add(
                .deviation, .exceptionType, subject,
                type.isEmpty
                    ? "the exception has no Content-Type"
                    : "the Content-Type of the exception is '\(type)'; clients misinterpret it",
                remedy: "send " + (version >= .v1_3_0 ? "text/xml" : "application/vnd.ogc.se_xml"))
        }
        if status >= 500 {
            list.add(
                .note, .exceptionType, subject,
                "the exception has status \(status), like a server failure; proxies may replace it with "
                    + "their own page",
                remedy: "send status 200 or 400")
        }
    }
}

/// Checks the response to a request for an image: a map, a tile or a legend.
package enum PictureAnswerCheck {
    /// The findings about a response with an image.
    ///
    /// - Parameters:
    ///   - found: the media type of the first bytes.
    ///   - asked: the requested format, or `nil` if any is acceptable.
    ///   - declared: the Content-Type.
    package static func findings(
        found: String, asked: String?, declared: String?, subject: String
    ) -> [Finding] {
        var list = FindingList()
        let wanted = asked.map { Self.type($0) }
        // A PNG is a valid response to image/png8 or image/vnd.jpeg-png.
        if let wanted, wanted != found, ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(wanted) {
            list.add(
                .deviation, .pictureFormat, subject,
                "the request was for \(wanted), but the response is \(found); clients that rely on the requested format fail",
                remedy: "respond in the requested format, or do not offer it")
        }
        guard let declared else {
            list.add(
                .deviation, .pictureType, subject, "the image has no Content-Type",
                remedy: "send \(found)")
            return list.findings
        }
        if Self.type(declared) != found {
            list.add(
                .deviation, .pictureType, subject,
                "the Content-Type of the image is '\(declared)', but the image is \(found)",
                remedy: "set the Content-Type to \(found)")
        }
        return list.findings
    }

    /// A media type in lower case, without parameters and in its usual spelling.
    private static func type(_ text: String) -> String {
        MediaType(WMSCapabilities.Format(text).mediaType).registered
    }
}
