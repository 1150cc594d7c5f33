import PortolanFeatures
import PortolanGeo
import PortolanWeb
import PortolanXML

/// Reads a Styled Layer Descriptor (OGC 02-070, version 1.0; OGC 05-078r4 and 05-077r4, version 1.1) into a style: each symbolizer
/// of each rule is a layer, in the order in which they are drawn.
struct SLDReader {
    /// Ground metres a pixel at zoom 0 of styles, at the equator.
    static let metersPerPixel = 78_271.516964020485
    /// The unit of lengths in pixels.
    static let pixelUnit = "http://www.opengeospatial.org/se/units/pixel"
    /// Among how many rules there may be more than one for the rest.
    private static let mostRulesWithRests = 16
    /// The size of a pixel that scales are counted with, in metres (OGC 05-077r4, clause 10.2).
    private static let pixelSize = 0.00028

    /// Something that is not drawn, in a rule or at one of its elements.
    struct Finding {
        let rule: String?
        let element: String?
        let fault: SLDFault
        /// The zooms at which the rule is drawn.
        var zooms = -Double.infinity..<Double.infinity
    }

    /// Why nothing can be read.
    enum Refusal: Error {
        case xml(XMLError)
        case otherRoot
        case noStyleNamed(String, among: [String])
    }

    /// The layers as those of a document of MapLibre.
    private(set) var layers: [PropertyValue] = []
    /// The pictures that layers draw by their names, each once.
    private(set) var graphics: [StyleGraphic] = []
    /// What is not drawn.
    private(set) var findings: [Finding] = []
    /// What was mended of the document's XML.
    private(set) var repairs: [MapWarning] = []
    /// How many layers there are, with one for each symbolizer that is not drawn.
    private(set) var layerCount = 0
    /// The names of the styles, in their order.
    private(set) var names: [String] = []
    private var ids: [String: Int] = [:]

    /// Reads a document.
    ///
    /// - Parameter name: the style that is wanted of several, or `nil` for the default one of each layer.
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

    /// Notes what is not read of an element around symbolizers.
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
        // What the other rules draw is known before those for the rest come.
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
                // Each holds all filters of the others.
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

    /// A filter that lets nothing through where its rule is not drawn.
    private func inScale(_ filter: PropertyValue, _ rule: SLDElement) -> PropertyValue {
        var items: [PropertyValue] = ["all", filter]
        let zooms = Self.zooms(of: rule)
        if let least = zooms.least { items.append([">=", ["zoom"], .number(least)]) }
        if let most = zooms.most { items.append(["<", ["zoom"], .number(most)]) }
        return items.count == 2 ? filter : .array(items)
    }

    /// Between which zooms a rule is drawn.
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
    ///   - others: the filters of the rules of its type that are not for the rest.
    ///   - earlier: the filters of the rules after which alone this one counts.
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

    /// The filter with what keeps the borders of areas to areas.
    private func kept(_ filter: PropertyValue?, _ layer: SLDSymbolizers.Layer, _ element: SLDElement) -> PropertyValue?
    {
        guard layer.type == "line", element.name == "PolygonSymbolizer" else { return filter }
        let areas: PropertyValue = ["==", ["geometry-type"], "Polygon"]
        return filter.map { ["all", areas, $0] } ?? areas
    }

    /// A name that no layer has yet.
    private mutating func id(_ name: String) -> String {
        let count = ids[name, default: 0] + 1
        ids[name] = count
        return count == 1 ? name : "\(name) #\(count)"
    }
}
