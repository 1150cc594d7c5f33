import Foundation
import Portolan
import PortolanFeatures
import PortolanStyles
import PortolanWeb

/// The report of `portolan doctor` about a style file: the parts that are not drawn, and the reasons.
struct StyleDiagnosis: Encodable {
    /// A part that is not drawn.
    struct Finding: Encodable {
        let layer: String?
        let member: String?
        let reason: String
    }

    let style: String
    let name: String?
    let layers: Int
    let drawnLayers: Int
    let notDrawn: [Finding]

    /// The number of bytes that identify a style file.
    private static let startLength = 1 << 16

    /// Examines the style in a file.
    ///
    /// Returns `nil` if the source is not a local file or does not begin as a style.
    init?(path: String, _ network: NetworkOptions) async throws {
        let configuration = try network.configuration()
        guard let file = try? LocalFile(at: path), StyleSheet.recognizes((try? file.start(Self.startLength)) ?? [])
        else { return nil }
        let sheet: StyleSheet
        do {
            sheet = try StyleSheet(bytes: try file.bytes(limit: configuration.documentByteLimit))
        } catch {
            throw CommandFailure(.badData, "\(path): \(error)")
        }
        let examination: StyleExamination
        do throws(MapError) {
            var configuration = configuration
            // Requests the data of all layers at once.
            configuration.retries = .none
            examination = try await StyleExamination(sheet, at: path, configuration: configuration)
        } catch { throw CommandFailure(error) }
        style = path
        name = examination.name
        layers = examination.layerCount
        drawnLayers = examination.drawnCount
        notDrawn = examination.findings.map { Finding(layer: $0.layer, member: $0.member, reason: $0.reason) }
    }

    /// The findings as text, grouped by kind.
    var text: String {
        var lines = ["\(style): \(drawnLayers) of \(layers) layers drawn"]
        var places: [String: [String]] = [:], order: [String] = []
        for finding in notDrawn {
            let what = [finding.member, finding.reason].compactMap(\.self).joined(separator: ": ")
            if places[what] == nil { order.append(what) }
            places[what, default: []].append(finding.layer ?? "the style")
        }
        for what in order {
            let layers = places[what] ?? []
            lines.append("  !  \(what)")
            lines.append(
                "     \(layers.prefix(5).joined(separator: ", "))"
                    + (layers.count > 5 ? " and \(layers.count - 5) more" : ""))
        }
        if order.isEmpty { lines.append("  ✓  all drawn") }
        return lines.joined(separator: "\n") + "\n"
    }
}
