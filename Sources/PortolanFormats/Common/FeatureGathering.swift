package import PortolanFeatures
package import PortolanGeo
internal import PortolanRaster
package import PortolanWeb
import PortolanXML

/// The features of a document during reading, with limits, memory charges and warnings.
package struct FeatureGathering {
    /// The format name for errors.
    let format: String
    let limits: FeatureLimits
    /// The memory charge of the features.
    let charge: MemoryCharge?
    package private(set) var features: [Feature] = []
    private(set) var coordinateCount = 0
    private var warnings: WarningList

    /// Starts a document with a length, which is charged until ``collection(crs:foreignMembers:)``.
    package init(_ format: String, limits: FeatureLimits, documentLength: Int) throws(FeatureFileError) {
        self.format = format
        self.limits = limits
        warnings = WarningList(limit: limits.maximumWarningCount)
        guard documentLength <= limits.maximumByteCount else {
            throw FeatureFileError(
                .limitExceeded, in: format, "the document exceeds \(limits.maximumByteCount) bytes")
        }
        self.documentLength = documentLength
        do throws(MemoryBudget.ExceededError) { charge = try limits.memory?.charge(documentLength) } catch {
            throw FeatureFileError(.memory, in: format, "too large for memory: \(error)")
        }
    }

    private let documentLength: Int

    /// Reserves space for the expected number of features.
    ///
    /// An array that grows step by step needs twice the memory and copies. A count in a document is trusted up to a
    /// million only.
    package mutating func expect(_ count: Int) {
        features.reserveCapacity(max(min(count, limits.maximumFeatureCount, 1 << 20), 0))
    }

    /// Adds a feature.
    package mutating func add(
        _ feature: consuming Feature, at place: FeatureFileError.Place? = nil
    ) throws(FeatureFileError) {
        if features.count.isMultiple(of: 256) { try checkCancellation() }
        guard features.count < limits.maximumFeatureCount else {
            throw FeatureFileError(
                .limitExceeded, in: format, at: place, "more than \(limits.maximumFeatureCount) features")
        }
        let count = feature.geometry?.coordinateCount ?? 0
        coordinateCount += count
        guard coordinateCount <= limits.maximumCoordinateCount else {
            throw FeatureFileError(
                .limitExceeded, in: format, at: place, "more than \(limits.maximumCoordinateCount) coordinates")
        }
        if let charge {
            let texts = feature.properties.reduce(0) { $0 + 64 + $1.value.heldByteCount }
            // Coordinates are also stored in columns, with altitudes next to them.
            do throws(MemoryBudget.ExceededError) {
                try charge.grow(by: MemoryLayout<Feature>.stride + 160 + texts + 64 * count)
            } catch {
                throw FeatureFileError(.memory, in: format, at: place, "too large for memory: \(error)")
            }
        }
        features.append(consume feature)
    }

    /// Throws if the reading task was cancelled.
    package func checkCancellation() throws(FeatureFileError) {
        if Task.isCancelled { throw FeatureFileError(.cancelled, in: format, "reading was cancelled") }
    }

    /// Changes the features read so far, if later content of the document applies to all of them.
    mutating func update(_ body: (inout [Feature]) -> Void) { body(&features) }

    /// Adds a warning about content that was repaired or omitted.
    package mutating func warn(
        _ effect: MapWarning.Effect, feature: String? = nil, key: String? = nil, line: Int? = nil,
        byteOffset: Int? = nil, _ message: @autoclosure () -> String
    ) {
        warnings.append(
            MapWarning(
                feature: feature, key: key, byteOffset: byteOffset, line: line, message: message(), effect: effect),
            effect: effect)
    }

    /// Adds a warning of a lower-level reader.
    mutating func add(_ warning: MapWarning) { warnings.append(warning, effect: warning.effect) }

    /// Returns the collection, after the whole document has been read.
    package func collection(crs: CRS? = nil, foreignMembers: Properties = [:]) -> FeatureCollection {
        charge?.shrink(by: documentLength)
        var collection = FeatureCollection(
            features: features, crs: crs, foreignMembers: foreignMembers, warnings: warnings.all)
        collection.charge = charge
        return collection
    }
}

extension PropertyValue {
    /// The approximate number of bytes outside the value itself.
    fileprivate var heldByteCount: Int {
        switch self {
        case .null, .bool, .integer, .number: 0
        case .string(let text): text.utf8.count
        case .array(let values): values.reduce(32) { $0 + MemoryLayout<PropertyValue>.stride + $1.heldByteCount }
        case .object(let members): members.reduce(32) { $0 + 64 + $1.value.heldByteCount }
        }
    }
}

extension XMLLimits {
    /// Creates the limits of an XML document with features.
    init(_ limits: FeatureLimits, tagLength: Int = XMLLimits().tagLength) {
        self.init(
            byteCount: min(limits.maximumByteCount, 512 << 20), tagLength: tagLength, elementCount: 16_000_000)
    }
}
