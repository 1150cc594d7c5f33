import PortolanFeatures
import PortolanStyles
import PortolanWeb

extension LayerSpecification {
    /// The language of labels, or `nil` without the key `language`.
    func labelLanguage() throws(MapError) -> LabelLanguage? {
        guard let text = self["language"] else { return nil }
        guard let language = LabelLanguage(text) else {
            throw invalid("language", "is not a language tag, such as es or zh-Hant, or mul for local names")
        }
        return language
    }

    /// The template of the key `label`, or `nil` without the key: a property, or a text with properties in braces.
    ///
    /// Names are preferred in the language of the layer.
    ///
    /// - Parameter notes: receives a warning if the language has no effect.
    func labelTemplate(_ notes: inout [MapWarning]) throws(MapError) -> LabelTemplate? {
        guard let template = try statedLabel() else { return nil }
        guard let language = try labelLanguage() else { return template }
        let properties = template.properties
        if !template.hasFormats, !properties.contains(where: language.localizes) {
            notes.append(
                .withoutEffect("language", "the label '\(self["label"] ?? "")' has neither a name nor a number"))
        }
        return template.replacing { language.localizes($0) ? language.propertyNames + [$0] : [$0] }
    }

    /// The template of the key `label` as stated, or `nil` without the key.
    private func statedLabel() throws(MapError) -> LabelTemplate? {
        guard let text = self["label"] else { return nil }
        let language = try labelLanguage()?.tag
        guard text.contains(where: { $0 == "{" || $0 == "}" }) else {
            return LabelTemplate("${\(text)}", language: language)
        }
        do throws(LabelTemplate.BraceError) { return try LabelTemplate(braces: text, language: language) } catch {
            throw invalid("label", "is invalid \(error)")
        }
    }

    /// The properties that the key `label` reads, each as the alternatives of one place.
    func labelProperties() throws(MapError) -> [[String]] {
        try statedLabel()?.parts.compactMap { part in
            if case .value(let names, _) = part { names } else { nil }
        } ?? []
    }
}

extension MapWarning {
    /// A warning that a key has no effect.
    static func withoutEffect(_ key: String, _ reason: String) -> MapWarning {
        MapWarning(.layerKey, Subject(member: key), effect: .ignored, message: "no effect: \(reason)")
    }
}
