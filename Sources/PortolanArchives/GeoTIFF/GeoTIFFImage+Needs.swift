extension GeoTIFFImage {
    /// The answer to a question about a file, or the part of the file that it needs first.
    package enum Need<Value: Sendable>: Sendable {
        /// A part of the file must be added.
        case part(Range<UInt64>)
        /// The answer.
        case known(Value)
    }

    /// Reads the structure of a file.
    ///
    /// - Parameter place: the path or the address, for errors.
    /// - Throws: ``ArchiveError`` if it is not a georeferenced image.
    package static func read(_ parts: TIFFParts, at place: String) throws(ArchiveError) -> Need<GeoTIFFImage> {
        let structure: GeoTIFFStructure
        do throws(TIFFParts.Stop) { structure = try GeoTIFFStructure(parts) } catch {
            if case .missing(let range) = error { return .part(range) }
            throw ArchiveError(error, at: place)
        }
        return .known(try GeoTIFFImage(structure, at: place))
    }

    /// Returns the places of the blocks of a tile in ascending order, empty if the grid has no such tile.
    ///
    /// - Parameter bands: the numbers of the bands, or `nil` for those of the colours of the file.
    package func blocks(
        ofTile number: Int, column: Int, row: Int, bands: [Int]?, _ parts: TIFFParts
    ) throws(ArchiveError) -> Need<[Range<UInt64>]> {
        guard let tile = tilePlace(level: number, column: column, row: row) else { return .known([]) }
        return try blocks(of: [tile.window], mask: tile.level.mask, bands: bands, parts)
    }

    /// Returns the places of the blocks in which ``samples(ofBands:_:)`` and ``stretch(_:)`` look.
    package func sampledBlocks(bands: [Int]?, _ parts: TIFFParts) throws(ArchiveError) -> Need<[Range<UInt64>]> {
        let windows = sampledWindows, level = structure.levels.last { $0.image.width == windows[0].image.width }
        return try blocks(of: windows, mask: level?.mask, bands: bands, parts)
    }

    func blocks(
        of windows: [TIFFWindow], mask: TIFFImage?, bands: [Int]?, _ parts: TIFFParts
    ) throws(ArchiveError) -> Need<[Range<UInt64>]> {
        let samples = (bands?.map { $0 - 1 } ?? colors.samples) + [colors.alpha].compactMap { $0 }
        guard samples.allSatisfy((0..<bandCount).contains) else { return .known([]) }
        do throws(TIFFParts.Stop) {
            var places: Set<Range<UInt64>> = []
            for window in windows {
                places.formUnion(try window.blocks(samples: samples, parts).compactMap(\.place))
                if let mask {
                    let window = TIFFWindow(image: mask, columns: window.columns, rows: window.rows)
                    places.formUnion(try window.blocks(samples: [0], parts).compactMap(\.place))
                }
            }
            return .known(places.sorted { $0.lowerBound < $1.lowerBound })
        } catch {
            if case .missing(let range) = error { return .part(range) }
            throw ArchiveError(error, at: place)
        }
    }
}

extension ArchiveError {
    init(_ stop: TIFFParts.Stop, at place: String) {
        switch stop {
        case .missing: self.init(.failed, place: place, detail: "a part of the file is missing")
        case .failed(let error):
            let code: Code =
                switch error.code {
                case .wrongFormat, .unsupported: .wrongFormat
                case .malformed: .damaged
                case .limitExceeded: .limitExceeded
                }
            self.init(code, place: place, detail: "\(error)")
        }
    }
}
