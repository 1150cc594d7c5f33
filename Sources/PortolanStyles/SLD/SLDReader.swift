import PortolanFeatures
import PortolanGeo
import PortolanWeb
import PortolanXML

/// Reads a Styled Layer Descriptor (OGC 02-070, version 1.0; OGC 05-078r4 and 05-077r4, version 1.1) as a style.
///
/// Each symbolizer of each rule becomes a layer, in drawing order.
struct SLDReader {
    /// Ground metres per pixel at style zoom 0, at the equator.
    static let metersPerPixel = 78_271.516964020485
    /// The length unit of pixels.
    static let pixelUnit = "http://www.opengeospatial.org/se/units/pixel"
    /// The number of rules up to which several `ElseFilter` rules are allowed.
    private static let mostRulesWithRests = 16
    /// The pixel size assumed for scales, in metres (OGC 05-077r4, clause 10.2).
    private static let pixelSize = 0.00028

    /// Unsupported content of a rule or of one of its elements.
    struct Finding {
        let rule: String?
        let element: String?
        let fault: SLDFault
        /// The zooms at which the rule is drawn.
        var zooms = -Double.infinity..<Double.infinity
    }

    /// The reason why a document cannot be read.
    enum Refusal: Error {
        case xml(XMLError)
        case otherRoot
        case noStyleNamed(String, among: [String])
    }

    /// The layers in MapLibre syntax.
    private(set) var layers: [PropertyValue] = []
    /// The distinct pictures that layers draw by name.
    private(set) var graphics: [StyleGraphic] = []
    /// The unsupported content.
    private(set) var findings: [Finding] = []
    /// The repairs of the document's XML.
    private(set) var repairs: [MapWarning] = []
    /// The number of layers, including symbolizers that are not drawn.
    private(set) var layerCount = 0
    /// The names of the styles, in order.
    private(set) var names: [String] = []
    private var ids: [String: Int] = [:]

    /// Reads a document.
    ///
    /// - Parameter name: the selected style, or `nil` for the default one of each layer.
    init(_ bytes: [UInt8], name: String?) throws(Refusal) {
        let root: SLDElement
        do { (root, repairs) = try SLDElement.read(bytes) } catch {
            throw .xml(error)
        }
        guard root.name == "StyledLayerDescriptor" else { throw .otherRoot }
        var found = false
        noteLosses(around: root)
        for layer in root.children where layer.name == "NamedLayer" || layer.name == "UserLayer" {
            noteLosses(around: layer)
            let styles = layer.children("UserStyle")
            for style in layer.children("NamedStyle") {
                note(nil, "NamedStyle '\(style.child("Name")?.text.prefix(60) ?? "")'", style, .loss)
            }
            for style in styles { names += [Self.name(of: style)].compactMap(\.self) }
            let wanted: [SLDElement]
            if let name {
                let isWhole = layer.child("Name")?.text == name
                wanted = styles.filter { Self.name(of: $0) == name || $0.child("Title")?.text == name || isWhole }
            } else {
                let own = styles.first { ["1", "true"].contains($0.child("IsDefault")?.text) } ?? styles.first
                wanted = [own].compactMap(\.self)
            }
            for style in wanted {
                found = true
                noteLosses(around: style)
                for type in style.children("FeatureTypeStyle") { read(type) }
            }
        }
        if let name, !found { throw .noStyleNamed(name, among: names) }
    }

    private static func name(of style: SLDElement) -> String? { style.child("Name")?.text }

    private mutating func note(
        _ layer: String?, _ what: String, _ element: SLDElement, _ effect: SLDFault.Effect = .ignored
    ) {
        if effect == .loss { layerCount += 1 }
        findings.append(Finding(rule: layer, element: nil, fault: SLDFault(what, element, effect)))
    }

    /// Records the unsupported content of an element around symbolizers.
    private mutating func noteLosses(around element: SLDElement, rule: String? = nil) {
        let losses = SLDContentModel.losses(around: element)
        layerCount += losses.count
        findings += losses.map { Finding(rule: rule, element: nil, fault: $0) }
    }

    private mutating func read(_ type: SLDElement) {
        var filters: [PropertyValue] = []
        let rules = type.children("Rule"), options = SLDTypeOptions(type, ruleCount: rules.count)
        for option in options.unread {
            note(nil, option.vendorOptionName, option)
        }
        if let transformation = type.child("Transformation") {
            note(nil, "Transformation", transformation, .loss)
        }
        noteLosses(around: type)
        // The filters of the other rules must be known before `ElseFilter` rules are read.
        for rule in rules where rule.child("ElseFilter") == nil {
            guard let filter = rule.child("Filter") else {
                filters.append(true)
                continue
            }
            if let read = try? SLDFilter.filter(filter) { filters.append(inScale(read, rule)) }
        }
        var isFirst = true, earlier: [PropertyValue] = []
        for (number, rule) in rules.enumerated() {
            if let rest = rule.child("ElseFilter") {
                // Each of them contains all filters of the other rules.
                guard isFirst || rules.count <= Self.mostRulesWithRests else {
                    layerCount += rule.children.count { $0.isSymbolizer } - 1
                    note(rule.child("Name")?.text, "a second ElseFilter among this many rules", rest, .loss)
                    continue
                }
                isFirst = false
            }
            read(rule, number: number, others: filters, options, after: earlier)
            guard options.isFirstRuleAlone, rule.child("ElseFilter") == nil else { continue }
            let filter = rule.child("Filter").map { try? SLDFilter.filter($0) } ?? true
            if let filter { earlier.append(inScale(filter, rule)) }
        }
    }

    /// A filter that accepts nothing at scales where its rule is not drawn.
    private func inScale(_ filter: PropertyValue, _ rule: SLDElement) -> PropertyValue {
        var items: [PropertyValue] = ["all", filter]
        let zooms = Self.zooms(of: rule)
        if let least = zooms.least { items.append([">=", ["zoom"], .number(least)]) }
        if let most = zooms.most { items.append(["<", ["zoom"], .number(most)]) }
        return items.count == 2 ? filter : .array(items)
    }

    /// The zoom range of a rule.
    private static func zooms(of rule: SLDElement) -> (least: Double?, most: Double?) {
        func zoom(_ name: String) -> Double? {
            guard let text = rule.child(name)?.text, let scale = Double(text), scale > 0, scale.isFinite else {
                return nil
            }
            return Libm.logarithm2(metersPerPixel / (scale * pixelSize))
        }
        return (zoom("MaxScaleDenominator"), zoom("MinScaleDenominator"))
    }

    /// Reads a rule.
    ///
    /// - Parameters:
    ///   - others: the filters of the rules of its type without `ElseFilter`.
    ///   - earlier: the filters of the earlier rules that exclude this one.
    private mutating func read(
        _ rule: SLDElement, number: Int, others: [PropertyValue], _ options: SLDTypeOptions,
        after earlier: [PropertyValue]
    ) {
        let title = [rule.child("Name")?.text, rule.child("Title")?.text].compactMap(\.self).first { !$0.isEmpty }
        let name = title ?? "rule \(number + 1)"
        let legend = rule.child("Title")?.text ?? ""
        let zooms = Self.zooms(of: rule)
        let least = zooms.least ?? -.infinity, range = least..<max(zooms.most ?? .infinity, least)
        var filter: PropertyValue?
        if rule.child("ElseFilter") != nil {
            filter = others.isEmpty ? PropertyValue?.none : ["!", .array(["any"] + others)]
        } else if let element = rule.child("Filter") {
            do throws(SLDFault) { filter = try SLDFilter.filter(element) } catch {
                layerCount += rule.children.count { $0.isSymbolizer }
                var fault = error
                fault.effect = .loss
                findings.append(Finding(rule: name, element: "Filter", fault: fault, zooms: range))
                return
            }
        }
        if !earlier.isEmpty {
            let rest: PropertyValue = ["!", .array(["any"] + earlier)]
            filter = filter.map { ["all", $0, rest] } ?? rest
        }
        noteLosses(around: rule, rule: name)
        for element in rule.children where element.isSymbolizer {
            var symbolizers = SLDSymbolizers()
            let made = symbolizers.layers(of: element)
            layerCount += made.count + symbolizers.lostPartCount
            for graphic in symbolizers.graphics where !graphics.contains(graphic) { graphics.append(graphic) }
            for layer in made {
                var members: Properties = ["id": .string(id(name)), "type": .string(layer.type)]
                var metadata: Properties = ["portolan:title": .string(legend.isEmpty ? name : legend)]
                layer.traits.write(to: &metadata)
                members["metadata"] = .object(metadata)
                members["filter"] = kept(filter, layer, element)
                members["minzoom"] = zooms.least.map { .number($0) }
                members["maxzoom"] = zooms.most.map { .number($0) }
                var layout = layer.layout
                options.sort(&layout, of: layer)
                members["layout"] = .object(layout)
                members["paint"] = .object(layer.paint)
                layers.append(.object(members))
            }
            findings += symbolizers.faults.map {
                Finding(rule: name, element: element.name, fault: $0, zooms: range)
            }
        }
    }

    /// The filter, restricted to areas for the borders of areas.
    private func kept(_ filter: PropertyValue?, _ layer: SLDSymbolizers.Layer, _ element: SLDElement) -> PropertyValue?
    {
        guard layer.type == "line", element.name == "PolygonSymbolizer" else { return filter }
        let areas: PropertyValue = ["==", ["geometry-type"], "Polygon"]
        return filter.map { ["all", areas, $0] } ?? areas
    }

    /// Returns an unused layer name.
    private mutating func id(_ name: String) -> String {
        let count = ids[name, default: 0] + 1
        ids[name] = count
        return count == 1 ? name : "\(name) #\(count)"
    }
}
