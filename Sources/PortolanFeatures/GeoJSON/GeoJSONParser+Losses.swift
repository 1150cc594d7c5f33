import PortolanWeb

extension GeoJSONError.Code {
    /// Whether the text is still valid JSON, so that reading can continue after the invalid value.
    fileprivate var leavesJSON: Bool {
        switch self {
        case .missingMember, .wrongType, .wrongNesting: true
        case .syntax, .truncated, .trailingContent, .invalidText, .invalidNumber, .unsupportedCRS, .limitExceeded,
            .memory, .cancelled:
            false
        }
    }
}

// A value that is valid JSON but invalid GeoJSON costs its feature or member, not the whole file.
extension GeoJSONParser {
    /// The state for a rollback after an invalid value.
    private struct Mark {
        let position: Int
        let depth: Int
        let warnings: WarningList.Mark
        let coordinateCount: Int
    }

    private func mark() -> Mark {
        Mark(
            position: position, depth: depth, warnings: warnings.mark, coordinateCount: coordinateCount)
    }

    private mutating func goBack(to mark: Mark) {
        position = mark.position
        depth = mark.depth
        warnings.goBack(to: mark.warnings)
        coordinateCount = mark.coordinateCount
    }

    /// Skips the value at the cursor, with a warning about its fault.
    mutating func passOver(
        _ text: Span<UInt8>, _ fault: GeoJSONError, key: String? = nil
    ) throws(GeoJSONError) {
        guard fault.code.leavesJSON else { throw fault }
        let mark = warnings.mark
        _ = try value(text)
        // Duplicate names in skipped values are not reported.
        warnings.goBack(to: mark)
        warn("\(fault.detail); left out", key: key, at: fault.byteOffset, effect: .omitted)
    }

    /// Reads the feature at the cursor in the list of features, or skips it.
    ///
    /// A bare geometry becomes a feature without properties.
    mutating func featureOrLoss(_ text: Span<UInt8>) throws(GeoJSONError) -> Feature? {
        let mark = mark()
        let fault: GeoJSONError
        if skipSpace(text) == UInt8(ascii: "{") {
            do throws(GeoJSONError) { return try feature(text, isRoot: false) } catch {
                guard error.code.leavesJSON else { throw error }
                fault = error
            }
            goBack(to: mark)
            do throws(GeoJSONError) {
                let geometry = try geometry(text, isRoot: false)
                warn("a geometry instead of a feature; read as a feature", at: mark.position, effect: .repaired)
                return Feature(geometry: geometry)
            } catch {
                guard error.code.leavesJSON else { throw error }
            }
            goBack(to: mark)
        } else {
            fault = wrongType(text, "a feature")
        }
        try passOver(text, fault)
        if firstLoss == nil { firstLoss = fault }
        return nil
    }

    /// Reads the geometry of a feature, or skips it.
    ///
    /// In a document with a single feature, it must be valid.
    mutating func geometryOrLoss(_ text: Span<UInt8>, isRoot: Bool) throws(GeoJSONError) -> Geometry? {
        switch skipSpace(text) {
        case UInt8(ascii: "{"):
            let mark = mark()
            let fault: GeoJSONError
            do throws(GeoJSONError) { return try geometry(text, isRoot: false) } catch {
                guard !isRoot, error.code.leavesJSON else { throw error }
                fault = error
            }
            goBack(to: mark)
            try passOver(text, fault, key: "geometry")
            return nil
        case UInt8(ascii: "n"):
            try literal(text, "null")
            return nil
        default:
            let fault = wrongType(text, "a geometry or null")
            guard !isRoot else { throw fault }
            try passOver(text, fault, key: "geometry")
            return nil
        }
    }
}
