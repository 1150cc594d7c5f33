package import PortolanFeatures
import PortolanFormats
import PortolanGeo
package import PortolanRaster
import PortolanServices
package import PortolanWeb

/// The response of a feature service: some features, and the paging information.
package struct FeaturePage: Sendable {
    /// The features, in the CRS of the request.
    package let features: [Feature]
    /// The number of features that match the request, or `nil` if the service does not state it.
    package let matchedCount: Int?
    /// The address of the next page, as written in the response.
    let next: String?
    /// Warnings about the response.
    package private(set) var warnings: [MapWarning]
    /// The memory charge for the features.
    package let charge: MemoryCharge?
    /// Whether the response states that it was cut off.
    let isCut: Bool

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - contentCRS: the CRS that the response header states, or `nil`.
    ///   - limit: the largest number of features.
    ///   - memory: the budget to which the features are charged.
    /// - Throws: ``FeaturePageError``.
    /// - Complexity: linear in the length of the response.
    package init(
        _ bytes: [UInt8], for request: FeatureRequest, contentCRS: String? = nil, limit: Int, memory: MemoryBudget?
    ) throws(FeaturePageError) {
        var limits = FeatureLimits(
            maximumByteCount: 256 << 20, maximumFeatureCount: limit, maximumWarningCount: 5, memory: memory)
        limits.maximumCoordinateCount = 20_000_000
        if case .table = request {
            let rows: FeatureRows
            do throws(FeatureFileError) { rows = try FeatureRows(bytes, limits: limits) } catch {
                throw FeaturePageError(words: "\(error)")
            }
            (features, charge, isCut) = (rows.collection.features, rows.collection.charge, rows.isCut)
            (matchedCount, next, warnings) = (nil, nil, rows.collection.warnings)
            return
        }
        isCut = false
        guard FeatureFormats.standard.format(recognizing: bytes) != nil else {
            throw FeaturePageError(bytes, reason: "the response is neither GeoJSON nor GML")
        }
        var collection: FeatureCollection
        do {
            collection = try Self.read(bytes, request.axisOrder, limits)
            // If the response is in another CRS than requested, its own name decides the axis order.
            if request.axisOrder != nil, let crs = collection.crs, !crs.hasCoordinates(of: request.crs) {
                collection = try Self.read(bytes, nil, limits)
            }
        } catch { throw FeaturePageError(bytes, reason: "\(error)") }
        let members = collection.foreignMembers
        if collection.features.isEmpty, let words = OGCAPIReader.words(ofException: members) {
            throw FeaturePageError(words: words)
        }
        matchedCount =
            members["numberMatched"]?.integerValue ?? members["totalFeatures"]?.integerValue
        charge = collection.charge
        let isJSON = ContentKind(recognizing: bytes)?.isMarkup != true
        next = members["next"]?.stringValue ?? OGCAPIReader.links(of: members).first(leadingTo: "next")?.href
        warnings = collection.warnings.filter(\.changesDocument)
        let system = isJSON ? try request.system(ofAnswerIn: contentCRS) : (crs: request.crs, isNorthFirst: false)
        if isJSON, collection.crs == nil, system.isNorthFirst {
            for place in collection.features.indices {
                collection.features[place].geometry = collection.features[place].geometry?.mapCoordinates {
                    Coordinate(x: $0.y, y: $0.x)
                }
            }
        }
        // Features without their own CRS are in that of the header, or else in the requested one.
        let own = collection.crs ?? system.crs
        guard !own.hasCoordinates(of: request.crs) else {
            features = collection.features
            return
        }
        let transform: CoordinateTransform
        do { transform = try CoordinateTransform(from: own, to: request.crs) } catch {
            throw FeaturePageError(words: "the response is in another CRS than requested: \(error)")
        }
        var lostCount = 0
        features = collection.features.map { feature in
            var feature = feature
            guard let geometry = feature.geometry else { return feature }
            feature.geometry = geometry.mapWholeCoordinates { transform($0) }
            if feature.geometry == nil { lostCount += 1 }
            return feature
        }
        if lostCount > 0 {
            warnings.append(
                MapWarning(
                    .service, effect: .omitted,
                    message:
                        "\(lostCount) features of the response, which is in \(own), are outside the area of \(request.crs)"
                )
            )
        }
    }
}

extension FeaturePage {
    private static func read(
        _ bytes: [UInt8], _ axisOrder: CRS.AxisOrder?, _ limits: FeatureLimits
    ) throws -> FeatureCollection {
        var formats = FeatureFormats.standard
        if let axisOrder { formats.formats.insert(GMLFormat(axisOrder: axisOrder), at: 0) }
        return try formats.read(bytes, limits: limits)
    }
}

/// The reason why a response contains no features.
package struct FeaturePageError: Error, Hashable {
    /// The failure in one line, with the text of the service if it sent any.
    package let words: String

    package init(words: String) { self.words = ReadableText.line(words, limit: 2000) }

    package init(_ bytes: [UInt8], reason: String) {
        // A service exception is more informative than the error of the feature reader.
        if let words = OGCAPIReader.words(ofException: bytes) {
            self.init(words: "error from the server: \(words)")
            return
        }
        guard let exception = ServiceExceptionReader.read(bytes), exception.shape != .text, exception.shape != .xml
        else {
            self.init(words: reason)
            return
        }
        self.init(words: "error from the server: \(exception)")
    }
}
