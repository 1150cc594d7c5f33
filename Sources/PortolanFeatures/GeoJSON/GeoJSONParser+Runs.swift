import Dispatch
import Synchronization

/// The features of a list during reading.
struct FeatureList: Sendable {
    /// The kept features.
    var features: [Feature] = []
    /// The number of list members read, including invalid ones.
    var count = 0
    /// Whether none of them was a feature.
    var isEmpty = true
}

/// Consecutive features of a document, read by a separate thread before the preceding content is known.
///
/// A run is used only if the preceding content ends exactly at its start. A wrong guess of the start of a feature only
/// costs time.
private struct FeatureRun: Sendable {
    /// The offset of the first feature.
    let start: Int
    /// The offset of the next feature, or of the content after the list.
    let end: Int
    /// Whether the list ends with this run.
    let isLast: Bool
    var list: FeatureList
    let coordinateCount: Int
    let warnings: WarningList
    let firstLoss: GeoJSONError?

    /// The values that determine whether the run is used.
    var facts: (start: Int, count: Int, coordinateCount: Int, isLast: Bool) {
        (start, list.count, coordinateCount, isLast)
    }
}

/// The inputs that a thread needs to read features.
private struct FeatureRunReader: Sendable {
    let bytes: [UInt8]
    let limits: FeatureLimits
    let depth: Int
    let names: GeoJSONNameTable

    /// Reads the features from one offset to the first feature at or after another.
    ///
    /// Returns `nil` if a feature is invalid or a limit is exceeded; the features are then read again in sequence,
    /// which reports the error.
    func run(from start: Int, to bound: Int) -> FeatureRun? {
        var parser = GeoJSONParser(bytes: bytes, limits: limits)
        (parser.position, parser.depth, parser.names) = (start, depth, names)
        let text = bytes.span
        var list = FeatureList(), isLast = false
        do throws(GeoJSONError) {
            while !isLast, parser.position < bound {
                isLast = try !parser.nextFeature(text, &list)
                if !isLast { _ = parser.skipSpace(text) }
            }
        } catch { return nil }
        return FeatureRun(
            start: start, end: parser.position, isLast: isLast, list: list, coordinateCount: parser.coordinateCount,
            warnings: parser.warnings, firstLoss: parser.firstLoss)
    }
}

extension GeoJSONParser {
    /// The number of runs per thread before the results are collected.
    private static let runsPerThread = 4

    /// Reads the features of the list at the cursor with several threads, as far as possible.
    ///
    /// Returns whether there are more features.
    mutating func readAhead(_ text: Span<UInt8>, _ list: inout FeatureList) throws(GeoJSONError) -> Bool {
        guard let beginning = featureBeginning(text) else { return true }
        while text.count - position >= 2 * runLength {
            var hasTaken = false, runs = runs(text, beginning)
            for number in runs.indices {
                let run = runs[number].facts
                while position < run.start {
                    guard try nextFeature(text, &list) else { return false }
                    _ = skipSpace(text)
                }
                // Runs that exceed a limit are read again in sequence, up to the exact position.
                guard position == run.start, list.count + run.count <= limits.maximumFeatureCount,
                    coordinateCount + run.coordinateCount <= limits.maximumCoordinateCount
                else { continue }
                try take(&runs[number], into: &list)
                hasTaken = true
                if run.isLast { return false }
            }
            guard hasTaken else { return true }
        }
        return true
    }

    /// Returns the start of the feature at the cursor up to the end of its first name, and of its type if that is
    /// first.
    private mutating func featureBeginning(_ text: Span<UInt8>) -> ByteWords? {
        guard skipSpace(text) == UInt8(ascii: "{") else { return nil }
        var quoteCount = 0
        for end in position..<min(position + 64, text.count) where text[end] == UInt8(ascii: "\"") {
            quoteCount += 1
            let letters = bytes[position...end]
            if quoteCount == 4 || quoteCount == 2 && !letters.reversed().starts(with: "\"epyt\"".utf8) {
                return ByteWords(letters)
            }
        }
        return nil
    }

    /// Reads features from the cursor on with several threads.
    private func runs(_ text: Span<UInt8>, _ beginning: ByteWords) -> [FeatureRun] {
        let length = runLength, count = min(threadCount * Self.runsPerThread, (text.count - position) / length + 1)
        var starts = [position]
        for number in 1..<max(count, 1) {
            let from = max(position + number * length, (starts.last ?? 0) + 1)
            if let start = beginning.first(in: text, from: from, to: from + length) { starts.append(start) }
        }
        starts.append(min(position + count * length, text.count))
        let reader = FeatureRunReader(bytes: bytes, limits: limits, depth: depth, names: names), bounds = starts
        let results = Mutex([FeatureRun?](repeating: nil, count: bounds.count - 1)), next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: min(threadCount, bounds.count - 1)) { _ in
            while true {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < bounds.count - 1 else { return }
                let run = reader.run(from: bounds[number], to: bounds[number + 1])
                results.withLock { $0[number] = run }
            }
        }
        return results.withLock { $0.compactMap { $0 } }
    }

    private mutating func take(_ run: inout FeatureRun, into list: inout FeatureList) throws(GeoJSONError) {
        // The reading threads do not know the task.
        if Task.isCancelled { throw cancelled }
        position = run.end
        if run.isLast { depth -= 1 }
        warnings.append(run.warnings, behind: list.count)
        if firstLoss == nil { firstLoss = run.firstLoss }
        coordinateCount += run.coordinateCount
        list.count += run.list.count
        list.isEmpty = list.isEmpty && run.list.isEmpty
        try keep(&run.list.features, in: &list.features)
        run.list.features = []
    }
}

extension ByteWords {
    /// Returns the first index of the sequence in a range of a text, or `nil`.
    fileprivate func first(in text: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        var place = start
        while place < min(end, text.count) {
            if text[place] == UInt8(ascii: "{"), stands(in: text, at: place) { return place }
            place += 1
        }
        return nil
    }
}
