import PortolanFeatures
import PortolanText

extension MapDocument {
    /// The document as JSON, as it is read again: each layer on a line of its own.
    ///
    /// Names and passwords in addresses, and the values of parameters that services take for keys, are not written; which
    /// layers lost some is told. Neither are a grid to snap to, nor who named a layer's address.
    ///
    /// - Parameter path: where the document is to stand; paths in its folder are then relative to it.
    public func encoded(at path: String? = nil) -> (bytes: [UInt8], warnings: [MapWarning]) {
        let (members, warnings) = members(at: path.map { DocumentLocation(path: $0) })
        return (JSONDocument.bytes(of: members), warnings)
    }

    /// Puts the document into a file, in the place of what is there, in one step.
    ///
    /// - Returns: what is not written, as ``encoded(at:)`` tells it.
    /// - Throws: ``MapError``.
    @discardableResult
    public func write(to path: String) throws(MapError) -> [MapWarning] {
        let (bytes, warnings) = encoded(at: path)
        do { try DocumentFile.write(bytes, to: path) } catch { throw MapError(error) }
        return warnings
    }

    func members(at place: DocumentLocation?) -> (members: Properties, warnings: [MapWarning]) {
        var members: Properties = ["version": .integer(Self.version)], warnings: [MapWarning] = []
        for member in view.members { members[member.name] = member.value }
        if let home { members["home"] = .object(home.members) }
        let limits = limits.members
        if !limits.isEmpty { members["limits"] = .object(limits) }
        if case .grid = self.limits.snap {
            warnings.append(.gridNotWritten)
        }
        if !layers.isEmpty {
            members["layers"] = .array(
                layers.map { layer in
                    let clean = layer.withoutSecrets
                    if clean != nil { warnings.append(.credentials(of: layer.name)) }
                    return .object((clean ?? layer).members(at: place))
                })
        }
        if let selected { members["selected"] = selected.value }
        let furniture = furniture.members
        if !furniture.isEmpty { members["furniture"] = .object(furniture) }
        if !fonts.isEmpty {
            members["font"] = .array(
                fonts.map { font in
                    switch font.source {
                    case .file(let path): .string(place?.written(path) ?? path)
                    case .family(let name): .string(name)
                    }
                })
        }
        return (members, warnings)
    }
}

extension MapWarning {
    /// What is told of limits that rest on a grid.
    static let gridNotWritten = MapWarning(
        .notWritten, effect: .omitted, message: "the base tile grid of the map cannot be saved")

    /// The warning about a layer whose content no specification makes again.
    static func notKept(layer: String) -> MapWarning {
        MapWarning(
            .notWritten, layer: layer, effect: .omitted,
            message: "it cannot be restored from a saved state; add it before restoring")
    }

    /// What is told of a layer whose secrets are not written.
    static func credentials(of layer: String) -> MapWarning {
        MapWarning(
            .credentials, layer: layer, effect: .omitted,
            message:
                "the name, password or key in its URL is not saved; add it again when opening the document"
        )
    }
}

extension MapDocument.Selection {
    /// The object of a document that says the same.
    var value: PropertyValue { ["layer": .string(layer), "feature": feature.propertyValue] }
}

extension LayerSpecification {
    /// The members as they stand in a document at a place.
    func members(at place: DocumentLocation?) -> Properties {
        var members = members
        if kind.hasPath, let place, let first = members.first, source != "-", FileAddress.isLocal(source),
            !source.hasPrefix("data:"), !source.hasPrefix("file:")
        {
            members[first.name] = .string(place.written(source.hasPrefix("/") ? source : FileAddress.path(of: source)))
        }
        return members
    }
}

extension ViewRequest {
    /// The members of a document that say the same, lists of numbers as lists.
    var members: Properties {
        var members = Properties()
        for (key, text) in values { members[key.rawValue] = Self.value(text, of: key) }
        return members
    }

    private static func value(_ text: String, of key: Key) -> PropertyValue {
        func number(_ text: some StringProtocol) -> PropertyValue? {
            Double(text).map { number in Int(exactly: number).map(PropertyValue.integer) ?? .number(number) }
        }
        switch key {
        case .crs, .boxCRS, .scale: return .string(text)
        case .fit: return .bool(text == "true")
        case .size, .bbox, .center:
            return .array(text.split { $0 == "," || $0 == "x" }.compactMap { number($0) })
        default: return number(text) ?? .string(text)
        }
    }
}

extension ViewLimits {
    /// The members of a document that say the same; those that say nothing are left out.
    var members: Properties {
        var members = Properties()
        func number(_ value: Double) -> PropertyValue {
            Int(exactly: value).map(PropertyValue.integer) ?? .number(value)
        }
        if let extent {
            members["bbox"] = .array([extent.minX, extent.minY, extent.maxX, extent.maxY].map(number))
        }
        if let zoomRange {
            members["min-zoom"] = number(min(max(zoomRange.lowerBound, -30), 60))
            members["max-zoom"] = number(min(max(zoomRange.upperBound, -30), 60))
        }
        if case .levels = snap { members["snap"] = "levels" }
        switch rotation {
        case .free: break
        case .north: members["rotation"] = "north"
        case .steps(let count): members["rotation"] = .integer(min(max(count, 1), 3600))
        }
        if northSnap != ViewLimits().northSnap { members["north-snap"] = number(northSnap) }
        return members
    }
}
