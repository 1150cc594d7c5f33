import Foundation
import PortolanFeatures
import PortolanFormats
import PortolanRaster
import PortolanWeb

/// GeoJSON lines or sequences in a file, converted one by one.
///
/// The longest line determines the memory.
struct FeatureLines {
    /// The most bytes of a line.
    private static let lineLimit = 256 << 20
    private static let pieceLength = 1 << 20

    let file: LocalFile
    let conversion: FeatureConversion
    /// The budget for each line.
    let memory: MemoryBudget

    /// Whether a file begins as GeoJSON lines or a sequence.
    static func isSequence(_ file: LocalFile) -> Bool {
        guard let start = try? file.start(FeatureFormats.startLength) else { return false }
        let format = FeatureFormats.standard.format(recognizing: start)
        return format is GeoJSONFormat.Lines || format is GeoJSONFormat.TextSequence
    }

    /// The outcome of the conversion.
    struct Outcome {
        /// Warnings about what was left out or repaired.
        var warnings: [MapWarning] = []
        /// Whether something was left out.
        var isIncomplete = false
    }

    /// Converts the file, passes the output on in pieces, and reports the lines left out.
    ///
    /// - Throws: ``CommandFailure``, also if no line is valid.
    func convert(_ add: ([UInt8]) throws(CommandFailure) -> Void) throws(CommandFailure) -> Outcome {
        let path = file.path
        var rest: [UInt8] = [], written: [UInt8] = [], warnings: [MapWarning] = []
        var number = 0, lostCount = 0, readCount = 0, noteCount = 0, isIncomplete = false
        func convert(_ line: ArraySlice<UInt8>) throws(CommandFailure) {
            number += 1
            let text = line.drop { $0 <= 0x20 }
            guard text.contains(where: { $0 > 0x20 }) else { return }
            let collection: FeatureCollection
            do throws(GeoJSONError) {
                collection = try GeoJSONReader.read(Array(text), limits: FeatureLimits(memory: memory))
            } catch {
                if error.code == .memory { throw .tooLarge("\(path), line \(number): \(error.detail)") }
                lostCount += 1
                if lostCount <= 10 {
                    warnings.append(
                        MapWarning(
                            feature: nil, line: number, message: "left out: \(error.detail)", effect: .omitted))
                }
                return
            }
            readCount += 1
            for warning in collection.warnings {
                noteCount += 1
                isIncomplete = isIncomplete || warning.effect == .omitted
                if noteCount <= 10 { warnings.append(warning.at(line: number)) }
            }
            written += try conversion.bytes(of: try conversion.collection(collection))
        }
        var offset = 0
        while true {
            if Task.isCancelled { throw CommandFailure(.interrupted, "reading \(path) was cancelled") }
            let piece: [UInt8]
            do { piece = try file.bytes(at: offset, count: Self.pieceLength) } catch {
                throw CommandFailure(.noInput, "\(error)")
            }
            if piece.isEmpty { break }
            offset += piece.count
            var start = 0
            for (index, byte) in piece.enumerated() where byte == 0x0A || byte == 0x1E {
                if rest.isEmpty {
                    try convert(piece[start..<index])
                } else {
                    rest += piece[start..<index]
                    try convert(rest[...])
                    rest.removeAll()
                }
                // A record separator after a line end begins no new line.
                if byte == 0x1E { number -= 1 }
                start = index + 1
            }
            rest += piece[start...]
            guard rest.count <= Self.lineLimit else {
                throw CommandFailure(.badData, "\(path): line \(number + 1) exceeds 256 MiB")
            }
            try add(written)
            written.removeAll(keepingCapacity: true)
        }
        try convert(rest[...])
        try add(written)
        if lostCount > 10 {
            warnings.append(
                MapWarning(feature: nil, message: "\(lostCount - 10) more lines left out", effect: .omitted))
        }
        if noteCount > 10 {
            warnings.append(MapWarning(feature: nil, message: "and \(noteCount - 10) more warnings"))
        }
        if readCount == 0, let first = warnings.first {
            throw CommandFailure(.badData, "\(path): no valid line; \(first)")
        }
        return Outcome(warnings: warnings, isIncomplete: isIncomplete || lostCount > 0)
    }
}
