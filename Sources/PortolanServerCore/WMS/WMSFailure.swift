import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices

extension WMSEndpoint {
    /// Returns the response for a fault in the requested form.
    func failure(_ fault: ServiceFault, _ asked: WMSRequest, _ context: ServingContext) async -> ServerResponse {
        // A missing key is no picture, also for clients that prefer pictures.
        let isRefusal = [.unauthenticated, .forbidden].contains(fault.problem.kind)
        if !isRefusal, asked.operation == .map, asked.exceptionForm != .document,
            let picture = await picture(of: fault, asked, context)
        {
            return picture
        }
        var response = Self.document(fault, asked.version)
        // Old clients ignore exceptions with an error status.
        if context.exceptionsAreSuccesses, !isRefusal, (400..<500).contains(response.status) { response.status = 200 }
        return response
    }

    /// Returns the exception document: OGC 06-042, annex E.2, and OGC 01-068r3, annex A.3.
    static func document(_ fault: ServiceFault, _ version: WMSCapabilities.Version) -> ServerResponse {
        var response = fault.problem.response
        var writer = MarkupWriter()
        func write(_ report: inout MarkupWriter) {
            let text = fault.problem.description
            switch (fault.code?.rawValue, fault.problem.key, version >= .v1_3_0) {
            case (let code?, let key?, true): report.element("ServiceException", ["code": code, "locator": key], text)
            case (nil, let key?, true): report.element("ServiceException", ["locator": key], text)
            case (let code?, _, _): report.element("ServiceException", ["code": code], text)
            case (nil, _, _): report.element("ServiceException", [:], text)
            }
        }
        if version >= .v1_3_0 {
            writer.element(
                "ServiceExceptionReport",
                [
                    "version": "1.3.0", "xmlns": "http://www.opengis.net/ogc",
                    "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
                    "xsi:schemaLocation":
                        "http://www.opengis.net/ogc http://schemas.opengis.net/wms/1.3.0/exceptions_1_3_0.xsd",
                ], write)
        } else {
            writer.declareType("ServiceExceptionReport", "http://schemas.opengis.net/wms/1.1.1/exception_1_1_1.dtd")
            writer.element("ServiceExceptionReport", ["version": "1.1.1"], write)
        }
        response.set("Content-Type", version >= .v1_3_0 ? "text/xml" : "application/vnd.ogc.se_xml")
        response.body = writer.bytes
        return response
    }

    /// Returns a picture as the response to a fault: blank or with the error message, or `nil` if it cannot be drawn.
    private func picture(
        of fault: ServiceFault, _ asked: WMSRequest, _ context: ServingContext
    ) async -> ServerResponse? {
        let format = (try? asked.format(isRequired: false)) ?? .png
        let asksFor = (try? asked.size(context.limits)) ?? (width: 256, height: 256)
        guard let map = context.book.maps.first, let size = ImageSize(width: asksFor.width, height: asksFor.height),
            let resolution = Resolution(unitsPerPixel: 1),
            let viewport = try? Viewport(center: Coordinate(x: 0, y: 0), resolution: resolution, size: size)
        else { return nil }
        var picture = PictureRequest(of: map, layers: [], in: viewport, as: format, key: "exception")
        picture.background = (try? asked.background(for: format)) ?? .white
        if asked.exceptionForm == .inImage { picture.subject = .notice(fault.problem.description) }
        var drawn = try? await context.maker.picture(picture, for: context.client)
        if drawn == nil {
            // Without fonts, the text cannot be drawn.
            picture.subject = .map
            drawn = try? await context.maker.picture(picture, for: context.client)
        }
        return drawn.map {
            var response = ServerResponse(type: format.mediaType, body: $0.bytes)
            response.set("Cache-Control", "no-store")
            return response
        }
    }
}
