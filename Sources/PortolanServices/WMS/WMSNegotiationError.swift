import PortolanGeo
import PortolanWeb

/// Why a service cannot give what a user wants; each case names what it offers instead.
public enum WMSNegotiationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No layer was asked for.
    case noLayers(offers: [String])
    /// There is no layer of this name.
    case layerNotFound(String, suggestion: String?, offers: [String])
    /// There are more styles than layers.
    case tooManyStyles(layers: Int, styles: Int)
    /// The layer has no style of this name.
    case styleNotFound(String, layer: String, offers: [String])
    /// The layers cannot be drawn in the system named, or in none that both sides know when it is `nil`.
    case crsNotOffered(String?, offers: [String])
    /// The service does not draw in the format named, or in none that can be read when it is `nil`.
    case formatNotOffered(String?, offers: [String])
    /// The service offers the format, but it is no picture.
    case formatNotPicture(String, offers: [String])
    /// The address is none that requests can be sent to.
    case badAddress(String)

    /// What is wrong and what there is, in one line.
    public var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .noLayers(let offers): "no layer is named; the service offers: \(Self.list(offers))"
        case .layerNotFound(let name, let suggestion, let offers):
            "the service has no layer '\(name)'"
                + (suggestion.map { "; did you mean '\($0)'?" } ?? ".") + " It offers: \(Self.list(offers))"
        case .tooManyStyles(let layers, let styles):
            "there are \(styles) styles for \(layers) layers; give one for each layer or fewer"
        case .styleNotFound(let name, let layer, let offers):
            "the layer '\(layer)' has no style '\(name)'; it offers: \(Self.list(offers))"
        case .crsNotOffered(let name?, let offers):
            (offers.contains(name)
                ? "the reference system \(name) is offered, but not known here"
                : "the layers cannot be had in \(name)") + "; " + Self.possible(offers)
        case .crsNotOffered(nil, let offers):
            "the layers cannot be had in a reference system with a known projection; " + Self.possible(offers)
        case .formatNotOffered(let name?, let offers):
            "the service does not draw \(name); it offers: \(Self.list(offers))"
        case .formatNotOffered(nil, let offers):
            "the service draws no format that can be read; it offers: \(Self.list(offers))"
        case .formatNotPicture(let name, let offers):
            "\(name) is no picture that can be drawn; the service offers: \(Self.list(offers))"
        case .badAddress(let url): "'\(url)' is not an http or https address"
        }
    }

    /// Which of some reference systems can be asked for, those that maps are transformed from first.
    private static func possible(_ offers: [String]) -> String {
        var seen: Set<CRS> = [], known: [(name: String, isProjected: Bool)] = []
        for name in offers {
            guard let crs = try? CRS(name), seen.insert(crs).inserted else { continue }
            known.append((name, crs.projection != nil))
        }
        let names = known.filter(\.isProjected).map(\.name) + known.filter { !$0.isProjected }.map(\.name)
        guard !names.isEmpty else { return "of those that the service offers none is known here: \(list(offers))" }
        return "possible are: \(list(names))"
    }

    private static func list(_ offers: [String]) -> String {
        if offers.isEmpty { return "none" }
        let shown = offers.prefix(20).joined(separator: ", ")
        return offers.count > 20 ? shown + " and \(offers.count - 20) more" : shown
    }
}
