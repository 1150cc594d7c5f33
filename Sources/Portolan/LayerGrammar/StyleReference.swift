import PortolanFeatures
import PortolanFetch
import PortolanServices
import PortolanStyles
import PortolanWeb

/// The style of a layer: `style=` is a file, a URL, or the style itself as JSON; `style-layers=` is a comma-separated
/// list of the style layers to draw; `style-name=` selects a style in a Styled Layer Descriptor.
enum StyleReference {
    /// The maximum number of style warnings per layer; `portolan doctor` lists all.
    private static let warningLimit = 20

    /// Reads the style of a layer, or returns `nil` if it has none.
    ///
    /// - Parameter notes: receives a warning for each unsupported part.
    static func read(
        _ specification: LayerSpecification, _ builder: LayerBuilder, _ notes: inout [MapWarning]
    ) async throws(MapError) -> (sheet: StyleSheet, base: BaseURL?)? {
        guard let text = specification["style"] else {
            for key in ["style-layers", "style-name"] where specification[key] != nil {
                throw specification.invalid(key, "needs a style; add ';style=FILE'")
            }
            return nil
        }
        return try await read(at: text, specification, builder, &notes)
    }

    /// Reads the style at a path or URL, or the inline style, with the selected style layers.
    ///
    /// - Parameter notes: receives a warning for each unsupported part.
    static func read(
        at text: String, _ specification: LayerSpecification, _ builder: LayerBuilder, _ notes: inout [MapWarning]
    ) async throws(MapError) -> (sheet: StyleSheet, base: BaseURL?) {
        var options = StyleSheet.Options(language: try specification.labelLanguage())
        // Points are drawn from columns, without a state.
        options.hasFeatureState = specification["join"] != nil && specification.kind != .points
        var (sheet, base) = try await sheet(at: text, specification, builder, options)
        if options.language != nil, sheet.localLayerCount == 0 {
            notes.append(.withoutEffect("language", "no text of the style reads names"))
        }
        if let names = specification["style-layers"] {
            let (kept, missing) = sheet.keeping(layers: names.split(separator: ",").map(String.init))
            if let missing = missing.first {
                let near = NearName.nearest(to: missing, in: sheet.layers.map(\.id))
                throw specification.invalid(
                    "style-layers",
                    "names '\(missing)', which is not a layer of the style"
                        + (near.map { "; did you mean '\($0)'?" } ?? ""))
            }
            sheet = kept
        }
        let kept = Set(sheet.layers.map(\.id))
        // Missing parts are reported by each picture.
        let told = sheet.warnings.filter { warning in
            !warning.isLoss
                && (specification["style-layers"] == nil || warning.subject.styleLayer.map(kept.contains) ?? false)
        }
        notes += told.prefix(warningLimit).map { $0.from("style") }
        if told.count > warningLimit {
            notes.append(
                MapWarning(
                    .style, effect: told.map(\.effect).max() ?? .ignored,
                    message: "and \(told.count - warningLimit) more warnings about the style"))
        }
        return (sheet, base)
    }

    /// Returns whether the text is an inline style.
    static func isInline(_ text: String) -> Bool { text.first { !$0.isWhitespace } == "{" }

    /// Returns whether the text is a path or URL, and not an inline style or the name of a built-in one.
    static func isAddress(_ text: String) -> Bool { !isInline(text) && BaseMapStyle(rawValue: text) == nil }

    private static func sheet(
        at text: String, _ specification: LayerSpecification, _ builder: LayerBuilder, _ options: StyleSheet.Options
    ) async throws(MapError) -> (sheet: StyleSheet, base: BaseURL?) {
        let baseMap = BaseMapStyle(rawValue: text), key = "sources.\(BaseMapStyle.sourceName)"
        guard baseMap == nil || specification.kind != .style || specification[key] != nil else {
            throw specification.invalid(
                "layer '\(text)': the style needs vector tiles in the OpenMapTiles schema; add ';\(key)=FILE or URL'")
        }
        let isInline = isInline(text)
        let (bytes, base) =
            isInline || baseMap != nil ? (Array(text.utf8), nil) : try await content(at: text, specification, builder)
        do throws(StyleSheet.ParseError) {
            let sheet =
                if let baseMap { try StyleSheet(baseMap.document(tiles: ""), options: options) } else {
                    try StyleSheet(bytes: bytes, styleName: specification["style-name"], options: options)
                }
            return (sheet, base)
        } catch {
            throw specification.error(.style(error, isInline ? "style" : text))
        }
    }

    private static func content(
        at text: String, _ specification: LayerSpecification, _ builder: LayerBuilder
    ) async throws(MapError) -> (bytes: [UInt8], base: BaseURL?) {
        let client = builder.client(for: specification)
        do throws(ServiceError) { return try await client.content(at: FileAddress.url(of: text)) } catch {
            // The missing resource is the style, not the features.
            throw MapError.layer(.service(error), source: text, kind: specification.kind)
        }
    }
}

extension StyleReference {
    /// Reads the RasterSymbolizer of a Styled Layer Descriptor at a path or URL.
    static func rasterSymbolizer(
        at text: String, _ specification: LayerSpecification, _ builder: LayerBuilder
    ) async throws(MapError) -> RasterSymbolizer {
        guard isAddress(text) else {
            throw specification.invalid("style", "must be a file or URL of an SLD with a RasterSymbolizer")
        }
        let bytes = try await content(at: text, specification, builder).bytes
        do throws(RasterSymbolizer.Failure) {
            return try RasterSymbolizer(bytes, styleName: specification["style-name"])
        } catch {
            throw specification.invalid("style", "'\(text)' cannot be used for an image: \(error.words)")
        }
    }
}
