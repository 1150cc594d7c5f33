import PortolanFeatures
import PortolanText

extension MapDocument {
    /// Returns the document as JSON, with one line per layer.
    ///
    /// User names and passwords in URLs, and parameters that contain API keys, are omitted; a warning names each
    /// affected layer. Snap grids and the origins of layer URLs are omitted as well.
    ///
    /// - Parameter path: the future path of the document; paths in its folder become relative.
    public func encoded(relativeTo path: String? = nil) -> (bytes: [UInt8], warnings: [MapWarning]) {
        let (members, warnings) = members(at: path.map { DocumentLocation(path: $0) })
        return (JSONDocument.bytes(of: members), warnings)
    }

    /// Writes the document to a file, atomically replacing an existing file.
    ///
    /// - Returns: the warnings of ``encoded(relativeTo:)`` about omitted content.
    /// - Throws: ``MapError``.
    @discardableResult
    public func write(to path: String) throws(MapError) -> [MapWarning] {
        let (bytes, warnings) = encoded(relativeTo: path)
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
    /// The warning about limits with a grid.
    static let gridNotWritten = MapWarning(
        .notWritten, effect: .omitted, message: "the base tile grid of the map cannot be saved")

    /// Returns the warning about a layer that cannot be recreated from a specification.
    static func notKept(layer: String) -> MapWarning {
        MapWarning(
            .notWritten, layer: layer, effect: .omitted,
            message: "it cannot be restored from a saved state; add it before restoring")
    }

    /// Returns the warning about a layer whose secrets are omitted.
    static func credentials(of layer: String) -> MapWarning {
        MapWarning(
            .credentials, layer: layer, effect: .omitted,
            message:
                "the name, password or key in its URL is not saved; add it again when opening the document"
        )
    }
}

extension MapDocument.Selection {
    /// The selection as a JSON object.
    var value: PropertyValue { ["layer": .string(layer), "feature": feature.propertyValue] }
}

extension LayerSpecification {
    /// Returns the members as written in a document at a location.
    func members(at place: DocumentLocation?) -> Properties {
        guard let place else { return members }
        // Other paths cannot make a valid layer invalid.
        let written = try? resolved { text, _ in
            guard text != "-", FileAddress.isLocal(text), !text.hasPrefix("data:"), !text.hasPrefix("file:") else {
                return text
            }
            return place.written(text.hasPrefix("/") ? text : FileAddress.path(of: text))
        }
        return (written ?? self).members
    }
}

extension ViewRequest {
    /// The members in a document.
    ///
    /// Lists of numbers become arrays.
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
        case .crs, .boxCRS, .scale, .paper: return .string(text)
        case .fit, .landscape: return .bool(text == "true")
        case .size, .bbox, .center:
            return .array(text.split { $0 == "," || $0 == "x" }.compactMap { number($0) })
        default: return number(text) ?? .string(text)
        }
    }
}

extension ViewLimits {
    /// The members in a document, without default values.
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
