package import PortolanServices
import PortolanWeb

/// Checks how a service tells of an error: here, that it has no layer of some name.
package enum ExceptionCheck {
    /// The findings about the answer of a WMS to a request for a map of a layer that it does not have.
    ///
    /// - Parameters:
    ///   - version: the version spoken; the form asked for is the version's XML.
    ///   - status: the HTTP status.
    package static func findings(
        inAnswer body: [UInt8], status: Int, contentType: String?, version: WMSVersion
    ) -> [Finding] {
        var list = FindingList()
        let subject = "version \(version)"
        guard let exception = ServiceExceptionReader.read(body, contentType: contentType) else {
            list.add(
                .fault, .exceptionShape, subject,
                "a layer that does not exist gives a picture; a client cannot tell that something is wrong",
                remedy: "answer with an exception in XML when EXCEPTIONS asks for it")
            return list.findings
        }
        let expected: ServiceException.Shape = version == .v1_0_0 ? .wmtException : .serviceExceptionReport
        if exception.shape != expected {
            let shape = "\(exception.shape)".lowercased()
            list.add(
                .deviation, .exceptionShape, subject,
                "the exception is \(words(exception.shape)), where the version has "
                    + "<\(version == .v1_0_0 ? "WMTException" : "ServiceExceptionReport")>; few clients can show why "
                    + "a map is missing",
                remedy: shape == "html" || shape == "text"
                    ? "let the server answer in the form that EXCEPTIONS asks for"
                    : "write exceptions by the schema of the version")
        }
        checkCode(of: exception, version, subject, into: &list)
        checkType(contentType, status: status, of: exception, version, subject, into: &list)
        return list.findings
    }

    /// The findings about the answer of a WMTS to a request for a tile of a layer that it does not have.
    package static func findings(inTileAnswer body: [UInt8], status: Int, contentType: String?) -> [Finding] {
        var list = FindingList()
        guard let exception = ServiceExceptionReader.read(body, contentType: contentType) else {
            list.add(
                .fault, .exceptionShape, "GetTile",
                "a layer that does not exist gives a picture; a client cannot tell that something is wrong",
                remedy: "answer with an exception report")
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
                "the exception comes with status \(status); caches keep it in place of the tile",
                remedy: "send status 400")
        }
        return list.findings
    }

    private static func words(_ shape: ServiceException.Shape) -> String {
        switch shape {
        case .serviceExceptionReport: "a <ServiceExceptionReport>"
        case .wmtException: "a <WMTException>"
        case .owsExceptionReport: "an <ExceptionReport>"
        case .html: "a page for people"
        case .xml: "some other XML document"
        case .text: "plain text"
        }
    }

    private static func checkCode(
        of exception: ServiceException, _ version: WMSVersion, _ subject: String, into list: inout FindingList
    ) {
        // Version 1.0.0 has no codes.
        guard version > .v1_0_0, exception.shape == .serviceExceptionReport else { return }
        guard let code = exception.code else {
            return list.add(
                .deviation, .exceptionCode, subject,
                "the exception has no code; a program cannot tell what is wrong but by its words",
                remedy: "write code=\"LayerNotDefined\"")
        }
        if code != .layerNotDefined {
            list.add(
                .deviation, .exceptionCode, subject, "the code is '\(code)', not 'LayerNotDefined'",
                remedy: "use the codes of the standard")
        }
    }

    private static func checkType(
        _ contentType: String?, status: Int, of exception: ServiceException, _ version: WMSVersion,
        _ subject: String, into list: inout FindingList
    ) {
        let isXML = [.serviceExceptionReport, .wmtException, .owsExceptionReport].contains(exception.shape)
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().trimmingSpace()
        let usual = ["text/xml", "application/xml", "application/vnd.ogc.se_xml"]
        if isXML, !usual.contains(type) {
            list.add(
                .deviation, .exceptionType, subject,
                type.isEmpty
                    ? "the exception is sent without a Content-Type"
                    : "the exception is declared as '\(type)'; clients take it for something else",
                remedy: "send " + (version >= .v1_3_0 ? "text/xml" : "application/vnd.ogc.se_xml"))
        }
        if status >= 500 {
            list.add(
                .note, .exceptionType, subject,
                "the exception comes with status \(status), as if the server had failed; proxies may put a page of "
                    + "their own in its place",
                remedy: "send status 200 or 400")
        }
    }
}

/// Checks what came for a picture: a map, a tile, a legend.
package enum PictureAnswerCheck {
    /// The findings about an answer whose bytes are a picture.
    ///
    /// - Parameters:
    ///   - found: the media type that the first bytes tell.
    ///   - asked: the format asked for, or `nil` when any will do.
    ///   - declared: the Content-Type.
    package static func findings(
        found: String, asked: String?, declared: String?, subject: String
    ) -> [Finding] {
        var list = FindingList()
        let wanted = asked.map { Self.type($0) }
        // A PNG asked for as image/png8 or image/vnd.jpeg-png is one.
        if let wanted, wanted != found, ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(wanted) {
            list.add(
                .deviation, .pictureFormat, subject,
                "\(wanted) was asked for and \(found) came; a client that goes by the name of the format fails",
                remedy: "draw in the format that is asked for, or do not offer it")
        }
        guard let declared else {
            list.add(
                .deviation, .pictureType, subject, "the picture has no Content-Type",
                remedy: "send \(found)")
            return list.findings
        }
        if Self.type(declared) != found {
            list.add(
                .deviation, .pictureType, subject, "the picture is declared as '\(declared)' and is \(found)",
                remedy: "send \(found) as its Content-Type")
        }
        return list.findings
    }

    /// A media type in small letters, without parameters and in its usual spelling.
    private static func type(_ text: String) -> String {
        MediaType(WMSFormat(text).mediaType).registered
    }
}
