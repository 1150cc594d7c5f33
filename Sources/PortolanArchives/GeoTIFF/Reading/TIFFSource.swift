/// The blocks of a TIFF file, from a file or from the ranges of a server.
protocol TIFFSource {
    /// Returns the blocks with some samples of a window.
    func blocks(of window: TIFFWindow, samples: [Int]) throws(ArchiveError) -> [TIFFWindow.Block]
    /// Returns the bytes of a block.
    func bytes(at place: Range<UInt64>) throws(ArchiveError) -> [UInt8]
}
