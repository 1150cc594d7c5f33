import PortolanRaster

/// The pixels of a window, from decoded blocks.
struct TIFFPainting {
    let colors: TIFFColors
    let window: TIFFWindow
    /// The values of the colour's samples, and of the alpha, per pixel; empty if all are bytes that are colours.
    private var values: [[Double]] = []
    private var alphas: [Double]?
    private(set) var pixels: [UInt32]
    private let isDirect: Bool
    private var masks: [UInt8]?

    init(_ window: TIFFWindow, _ colors: TIFFColors) {
        (self.window, self.colors) = (window, colors)
        let count = window.columns.count * window.rows.count, image = window.image
        isDirect = colors.areBytesColors && image.bitsPerSample == 8 && !image.isPlanar
        pixels = [UInt32](repeating: 0, count: count)
        guard !isDirect else { return }
        values = [[Double]](repeating: [Double](repeating: .nan, count: count), count: colors.samples.count)
        if colors.alpha != nil { alphas = [Double](repeating: 0, count: count) }
    }

    /// Adds a block.
    mutating func add(_ samples: TIFFSamples, _ block: TIFFWindow.Block) {
        if isDirect { return addBytes(samples, block) }
        for (number, sample) in (colors.samples + [colors.alpha].compactMap { $0 }).enumerated() {
            let isPlanar = window.image.isPlanar
            if isPlanar, sample != block.plane { continue }
            window.forEachRow(of: block) { columns, row, first in
                let found = samples.values(ofSample: isPlanar ? 0 : sample, row: row, columns: columns)
                if number < colors.samples.count {
                    values[number].replaceSubrange(first..<first + found.count, with: found)
                } else {
                    alphas?.replaceSubrange(first..<first + found.count, with: found)
                }
            }
        }
    }

    private mutating func addBytes(_ samples: TIFFSamples, _ block: TIFFWindow.Block) {
        let count = samples.samplesPerPixel, bytes = samples.bytes.span, alpha = colors.alpha, colors = colors
        window.forEachRow(of: block) { columns, row, first in
            var source = (row * samples.width + columns.lowerBound) * count
            for target in first..<first + columns.count {
                let opacity = alpha.map { bytes[source + $0] } ?? 255
                pixels[target] = colors.pixel(bytes[source], bytes[source + 1], bytes[source + 2], opacity)
                source += count
            }
        }
    }

    /// Adds a block of the mask, whose window has the same pixels.
    mutating func addMask(_ samples: TIFFSamples, _ block: TIFFWindow.Block, of mask: TIFFWindow) {
        var masks = masks ?? [UInt8](repeating: 0, count: pixels.count)
        mask.forEachRow(of: block) { columns, row, first in
            let found = samples.values(ofSample: 0, row: row, columns: columns)
            for (index, value) in found.enumerated() { masks[first + index] = value > 0 ? 255 : 0 }
        }
        self.masks = masks
    }

    /// Returns the premultiplied pixels.
    consuming func finished() -> [UInt32] {
        if isDirect {
            if let masks { for index in pixels.indices where masks[index] == 0 { pixels[index] = 0 } }
            return pixels
        }
        let last = values.count - 1
        for index in pixels.indices {
            pixels[index] = colors.pixel(
                (values[0][index], values[min(1, last)][index], values[last][index]), alpha: alphas?[index],
                mask: masks?[index] ?? 255)
        }
        return pixels
    }
}
