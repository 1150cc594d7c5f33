import Foundation
import Portolan
import PortolanPaint

/// Where the pages of an atlas are written: one PDF file, or numbered files.
struct AtlasTarget: Sendable {
    private let path: String
    private let format: PictureFormat
    /// The parts of a numbered path, and the least number of digits; `nil` for one document.
    private let numbering: (before: String, digits: Int, after: String)?

    /// Parses a path; `%02d` stands for the number of a page.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        let file = OutputFile(path: path)
        format = try PictureFormat(of: file)
        guard !file.isStandardOutput else {
            throw CommandFailure(.usage, "-o -: an atlas cannot be written to standard output; name a file")
        }
        numbering = Self.numbering(of: path)
        guard format == .pdf || numbering != nil else {
            throw CommandFailure(
                .usage, "-o \(path): an atlas has several pages; write a .pdf file, or number the files: page-%02d.png")
        }
        try name(0).check()
    }

    private static func numbering(of path: String) -> (before: String, digits: Int, after: String)? {
        guard let start = path.lastIndex(of: "%") else { return nil }
        let rest = path[path.index(after: start)...]
        guard let end = rest.firstIndex(of: "d") else { return nil }
        let digits = rest[..<end]
        guard digits.count <= 2, digits.isEmpty || Int(digits) != nil else { return nil }
        return (String(path[..<start]), Int(digits) ?? 1, String(rest[rest.index(after: end)...]))
    }

    private func name(_ number: Int) -> OutputFile {
        guard let numbering else { return OutputFile(path: path) }
        let text = String(number), zeros = String(repeating: "0", count: max(numbering.digits - text.count, 0))
        return OutputFile(path: numbering.before + zeros + text + numbering.after)
    }

    /// Writes all pages, and returns their reports.
    func write(
        _ atlas: Atlas, _ layers: [MapLayer], options: RenderOptions, by renderer: MapRenderer,
        progress: @escaping MapRenderer.ProgressHandler
    ) async throws -> [RenderReport] {
        guard numbering != nil else {
            let document = try await renderer.pdf(
                of: atlas, layers: layers, options: options, pdf: .ofEnvironment(), progress: progress)
            try OutputFile(path: path).write(document.bytes)
            return document.reports
        }
        var reports: [RenderReport] = []
        for (index, page) in atlas.pages.enumerated() {
            progress(MapRenderer.Progress(done: index, total: atlas.pages.count))
            let own = atlas.options(ofPage: index, options)
            let result = try await renderer.render(layers, in: page.viewport, options: own)
            reports.append(result.report)
            let file = name(page.number ?? 0)
            try file.write(pieces: { (add) throws(CommandFailure) in
                try format.encode(result, background: own.background, svg: SVGOptions(), for: file, add)
            })
        }
        return reports
    }
}
