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

    /// The label template of a property, which prefers names in a language.
    ///
    /// - Parameter notes: receives a warning if the property is not a name.
    func labelTemplate(of property: String, _ notes: inout [MapWarning]) throws(MapError) -> String {
        guard let language = try labelLanguage() else { return "${\(property)}" }
        guard language.localizes(property) else {
            notes.append(.withoutEffect("language", "the label '\(property)' is not a name"))
            return "${\(property)}"
        }
        return "${\((language.propertyNames + [property]).joined(separator: "|"))}"
    }
}

extension MapWarning {
    /// A warning that a key has no effect.
    static func withoutEffect(_ key: String, _ reason: String) -> MapWarning {
        MapWarning(.layerKey, Subject(member: key), effect: .ignored, message: "no effect: \(reason)")
    }
}
