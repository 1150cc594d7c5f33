import Portolan
package import PortolanFeatures
package import PortolanPlan
import PortolanRaster
import PortolanServices

/// The formats of feature information.
package enum PlaceFormat: Hashable, Sendable, CaseIterable {
    case text, json, html

    /// Parses a media type.
    ///
    /// The default is text.
    package init?(_ mediaType: String?) {
        guard let mediaType else {
            self = .text
            return
        }
        let name = mediaType.prefix { $0 != ";" }.lowercased().trimmingSpace()
        switch name {
        case "text/plain": self = .text
        case "application/json", "application/geo+json", "application/geojson": self = .json
        case "text/html": self = .html
        default: return nil
        }
    }

    /// The media type in capabilities.
    package var mediaType: String {
        switch self {
        case .text: "text/plain"
        case .json: "application/json"
        case .html: "text/html"
        }
    }
}

/// A feature query: a pixel of a view.
package struct PlaceQuestion: Sendable {
    /// The maximum number of features per layer.
    package static let most = 100

    /// The view.
    package let viewport: Viewport
    /// The column of the pixel.
    package let x: Int
    /// The row of the pixel.
    package let y: Int
    /// The response format.
    package let format: PlaceFormat
    /// The number of features requested per layer.
    package var count = 1

    /// Creates a query for one feature.
    package init(viewport: Viewport, x: Int, y: Int, format: PlaceFormat) {
        (self.viewport, self.x, self.y, self.format) = (viewport, x, y, format)
    }

    /// The features of a layer at the pixel.
    package struct Finding: Sendable {
        /// The layer name in requests.
        package let layer: String
        /// The features, topmost first.
        package var features: [Feature] = []
        /// The text responses of the layer's service.
        package var words: [String] = []
    }

    /// Returns the response document.
    package func document(_ findings: [Finding]) -> ServerResponse {
        switch format {
        case .json: ServerResponse(type: "application/json", body: Self.json(findings))
        case .text: ServerResponse(type: "text/plain; charset=utf-8", body: Array(Self.text(findings).utf8))
        case .html: ServerResponse(type: "text/html; charset=utf-8", body: Self.page(findings))
        }
    }

    private static func json(_ findings: [Finding]) -> [UInt8] {
        let features = findings.flatMap { finding in
            finding.features.map { feature in
                var feature = feature
                feature.foreignMembers["layer"] = .string(finding.layer)
                return feature
            }
        }
        return GeoJSONWriter.write(FeatureCollection(features: features))
    }

    private static func text(_ findings: [Finding]) -> String {
        var text = ""
        for finding in findings where !finding.features.isEmpty || !finding.words.isEmpty {
            text += "Layer '\(finding.layer)'\n"
            for feature in finding.features {
                text += "  Feature \(feature.identifier.map(\.description) ?? feature.title ?? "")\n"
                for row in rows(feature) { text += "    \(row.name) = \(row.value)\n" }
            }
            for words in finding.words { text += "  \(words)\n" }
        }
        return text.isEmpty ? "Nothing was found.\n" : text
    }

    private static func page(_ findings: [Finding]) -> [UInt8] {
        var page = MarkupWriter("<!DOCTYPE html>\n")
        page.element("html", ["lang": "en"]) { html in
            html.element("head") { $0.element("title", [:], "Features at this point") }
            html.element("body") { body in
                for finding in findings where !finding.features.isEmpty || !finding.words.isEmpty {
                    body.element("h2", [:], finding.layer)
                    for feature in finding.features {
                        body.element("table") { table in
                            for row in rows(feature) {
                                table.element("tr") {
                                    $0.element("th", [:], row.name)
                                    $0.element("td", [:], row.value.isEmpty ? " " : row.value)
                                }
                            }
                        }
                    }
                    // Markup of other servers is escaped, not passed through.
                    for words in finding.words { body.element("p", [:], words) }
                }
                if findings.allSatisfy({ $0.features.isEmpty && $0.words.isEmpty }) {
                    body.element("p", [:], "Nothing was found.")
                }
            }
        }
        return page.bytes
    }

    private static func rows(_ feature: Feature) -> [(name: String, value: String)] {
        feature.properties.map { ($0.name, $0.value.displayText ?? "") }
    }
}

extension PictureMaker {
    /// Queries layers at a pixel, scheduled together with renders.
    ///
    /// - Throws: ``Problem``: `overloaded`, `timedOut`, or `sourceFailed` if no layer can answer.
    package func findings(
        _ question: PlaceQuestion, of layers: [NamedLayer], for client: String
    ) async throws(Problem) -> [PlaceQuestion.Finding] {
        let found = try await inTurn(of: client) {
            var found: [PlaceQuestion.Finding] = [], failures: [MapError] = []
            for layer in layers {
                var options = IdentifyOptions()
                options.featureCount = question.count
                let place = Point(x: Double(question.x) + 0.5, y: Double(question.y) + 0.5)
                let answers = await layer.map.renderer.identify(
                    layer.map.layers, in: question.viewport, pixel: place, options: options)
                var finding = PlaceQuestion.Finding(layer: layer.name)
                for answer in answers {
                    switch answer.outcome {
                    case .answer(.features(let features)): finding.features += features.map(\.feature)
                    case .answer(.text(let text)), .answer(.html(let text, _)): finding.words.append(text)
                    case .notQueryable: break
                    case .failure(let error): failures.append(error)
                    }
                }
                finding.features = Array(finding.features.prefix(question.count))
                found.append(finding)
            }
            return (found, failures)
        }
        if let failure = found.1.first, found.0.allSatisfy({ $0.features.isEmpty && $0.words.isEmpty }) {
            throw Problem(.sourceFailed, failure.sentence, retryAfter: 10)
        }
        return found.0
    }
}
