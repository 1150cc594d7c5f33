import PortolanFeatures

/// The GeoServer options of a `FeatureTypeStyle`.
struct SLDTypeOptions {
    /// The largest number of rules for first-match evaluation, since each rule contains the filters of those before it.
    private static let mostRules = 32

    /// Whether a feature is only drawn by the first matching rule.
    private(set) var isFirstRuleAlone = false
    /// The unsupported options.
    private(set) var unread: [SLDElement] = []
    /// The sort key by which features are drawn, in ascending order.
    private var order: PropertyValue?

    init(_ type: SLDElement, ruleCount: Int) {
        for option in type.children("VendorOption") {
            switch (option.attribute("name"), option.text) {
            case ("sortBy", let text):
                let keys = text.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace) }
                guard keys.count == 1, let words = keys.first, let name = words.first, words.count < 3,
                    ["A", "D"].contains(words.count == 2 ? words[1] : "A")
                else {
                    unread.append(option)
                    continue
                }
                let number: PropertyValue = ["to-number", ["get", .string(String(name))], 0]
                order = words.last == "D" && words.count == 2 ? ["-", number] : number
            case ("ruleEvaluation", "first") where ruleCount <= Self.mostRules: isFirstRuleAlone = true
            case ("ruleEvaluation", "all"): break
            default: unread.append(option)
            }
        }
    }

    /// Adds the requested drawing order to a layer.
    ///
    /// Texts keep the order of their priorities.
    func sort(_ layout: inout Properties, of layer: SLDSymbolizers.Layer) {
        guard let order else { return }
        switch layer.type {
        case "fill", "line", "circle": layout["\(layer.type)-sort-key"] = order
        case "symbol" where layout["text-field"] == nil: layout["symbol-sort-key"] = order
        default: break
        }
    }
}
