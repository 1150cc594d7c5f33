import Dispatch
import Synchronization

/// The features of a list while they are read.
struct FeatureList: Sendable {
    /// Those that are kept.
    var features: [Feature] = []
    /// How many members of the list were read, whatever became of them.
    var count = 0
    /// Whether none of them was a feature.
    var isEmpty = true
}

/// Some features that follow one another in a document, read by a thread of its own before it is known what stands before
/// them.
///
/// They count only where the reading of what stands before them ends at their beginning, so that a wrong guess of where a
/// feature begins costs time and nothing else.
private struct FeatureRun: Sendable {
    /// Where the first begins.
    let start: Int
    /// Where the next begins, or what follows the list.
    let end: Int
    /// Whether the list ends with them.
    let isLast: Bool
    var list: FeatureList
    let coordinateCount: Int
    let warnings: WarningList
    let firstLoss: GeoJSONError?

    /// What tells whether it counts.
    var facts: (start: Int, count: Int, coordinateCount: Int, isLast: Bool) {
        (start, list.count, coordinateCount, isLast)
    }
}

/// What a thread needs to read features.
private struct FeatureRunReader: Sendable {
    let bytes: [UInt8]
    let limits: FeatureLimits
    let depth: Int
    let names: GeoJSONNameTable

    /// Reads the features from one place to the first that begins at another or behind it; `nil` where that cannot be read, or
    /// a limit is exceeded: then it is read once more in its turn, which tells why.
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
    /// How many times each thread reads until what was read is gathered.
    private static let runsPerThread = 4

    /// Reads the features of the list in which the cursor is with several threads, as far as that goes; tells whether there
    /// are more of them.
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
                // What exceeds a limit is read once more, up to the place where that happens.
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

    /// What the feature at the cursor begins with up to the end of its first name, and of its type where that stands first.
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

    /// Reads features from the cursor on, several threads at the same time.
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
        // The threads that read know nothing of the task for which they do.
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
    /// The first place of a text, from one to before another, where they stand; `nil` for none.
    fileprivate func first(in text: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        var place = start
        while place < min(end, text.count) {
            if text[place] == UInt8(ascii: "{"), stands(in: text, at: place) { return place }
            place += 1
        }
        return nil
    }
}
