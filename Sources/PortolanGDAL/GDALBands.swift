#if GDAL
import CGDAL
import PortolanFeatures
import PortolanFormats
import PortolanRaster

/// A window of a level, in its pixels.
struct GDALWindow {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    /// The number of band pixels per window pixel, in each direction.
    let reduction: Int
}

/// The meaning of an image's bands, and the conversion of their values to colours.
///
/// Bands belong to the dataset whose reader holds this value.
@safe struct GDALBands {
    private enum Meaning {
        case gray
        case colors
        case palette([UInt32])
    }

    private let handles: [GDALRasterBandH]
    private let alpha: GDALRasterBandH?
    private let meaning: Meaning
    /// The values that become black and white, or `nil` if values are bytes.
    private let range: (low: Double, high: Double)?
    let notes: [String]

    init(of dataset: GDALDatasetH, _ driver: String) throws(FeatureFileError) {
        let count = unsafe min(GDALGetRasterCount(dataset), 64)
        let bands = unsafe (0..<count).compactMap { unsafe GDALGetRasterBand(dataset, $0 + 1) }
        func first(_ meaning: GDALColorInterp) -> GDALRasterBandH? {
            unsafe bands.first { unsafe GDALGetRasterColorInterpretation($0) == meaning }
        }
        guard let band = unsafe bands.first, unsafe first(GCI_CyanBand) == nil, unsafe first(GCI_YCbCr_YBand) == nil
        else {
            throw FeatureFileError(
                .unsupported, in: driver, "unsupported colours: expected red, green and blue, grey or a palette")
        }
        guard unsafe GDALDataTypeIsComplex(GDALGetRasterDataType(band)) == 0 else {
            throw FeatureFileError(.unsupported, in: driver, "complex numbers are not supported")
        }
        var notes: [String] = []
        unsafe alpha = first(GCI_AlphaBand)
        let named = unsafe [GCI_RedBand, GCI_GreenBand, GCI_BlueBand].compactMap { unsafe first($0) }
        if unsafe named.count == 3 {
            unsafe handles = named
            meaning = .colors
        } else if let table = unsafe GDALGetRasterColorTable(band) {
            unsafe handles = [band]
            meaning = .palette(unsafe Self.colors(of: table))
        } else if unsafe bands.count >= 3 {
            unsafe handles = Array(bands.prefix(3))
            meaning = .colors
            notes.append("using its first three bands as red, green and blue")
        } else {
            unsafe handles = [band]
            meaning = .gray
        }
        if case .palette = meaning {
            range = nil
        } else if unsafe handles.allSatisfy({ unsafe GDALGetRasterDataType($0) == GDT_Byte }) {
            range = nil
        } else {
            let found = unsafe Self.range(of: handles)
            range = found
            notes.append(
                "values from \(Self.text(found.low)) to \(Self.text(found.high)) are stretched from black to white")
        }
        self.notes = notes
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    /// Returns the premultiplied colours by index.
    private static func colors(of table: GDALColorTableH) -> [UInt32] {
        (0..<min(unsafe GDALGetColorEntryCount(table), 65536)).map { index in
            var entry = GDALColorEntry()
            guard unsafe GDALGetColorEntryAsRGB(table, index, &entry) != 0 else { return 0 }
            return Pixel(
                MapColor(
                    red: UInt8(clamping: entry.c1), green: UInt8(clamping: entry.c2), blue: UInt8(clamping: entry.c3),
                    alpha: UInt8(clamping: entry.c4))
            ).bits
        }
    }

    /// Returns the minimum and maximum of all bands, from their overviews or a sample.
    private static func range(of bands: [GDALRasterBandH]) -> (low: Double, high: Double) {
        var low = Double.infinity, high = -Double.infinity
        for position in 0..<(unsafe bands.count) {
            let band = unsafe bands[position]
            var found = [0.0, 0.0]
            let result = unsafe found.withUnsafeMutableBufferPointer {
                unsafe GDALComputeRasterMinMax(band, 1, $0.baseAddress)
            }
            guard result == CE_None, found.allSatisfy(\.isFinite) else { continue }
            low = min(low, found[0])
            high = max(high, found[1])
        }
        GDALLibrary.forget()
        return low <= high ? (low, high) : (0, 1)
    }

    /// Returns the premultiplied pixels of a window, row by row.
    func pixels(overview: Int32?, _ window: GDALWindow, _ driver: String) throws(FeatureFileError) -> [UInt32] {
        let count = window.width * window.height
        var opacity = try self.opacity(overview, window, driver)
        var pixels = [UInt32](repeating: 0, count: count)
        switch meaning {
        case .palette(let colors):
            let indices = unsafe try Self.values(
                of: level(handles[0], overview), window, as: UInt16(0), GDT_UInt16, driver, isExact: true)
            for index in 0..<count where opacity[index] > 0 {
                let color = Int(indices[index]) < colors.count ? colors[Int(indices[index])] : 0
                pixels[index] = color
            }
            return pixels
        case .gray, .colors:
            var planes: [[UInt8]] = []
            for position in 0..<(unsafe handles.count) {
                let band = unsafe handles[position]
                planes.append(unsafe try bytes(of: level(band, overview), window, &opacity, driver))
            }
            let (red, green, blue) = (planes[0], planes[planes.count == 3 ? 1 : 0], planes[planes.count == 3 ? 2 : 0])
            for index in 0..<count where opacity[index] > 0 {
                pixels[index] =
                    Pixel(MapColor(red: red[index], green: green[index], blue: blue[index], alpha: opacity[index])).bits
            }
            return pixels
        }
    }

    /// Returns a band's values as bytes; NaN becomes transparent.
    private func bytes(
        of band: GDALRasterBandH, _ window: GDALWindow, _ opacity: inout [UInt8], _ driver: String
    ) throws(FeatureFileError) -> [UInt8] {
        guard let range else { return unsafe try Self.values(of: band, window, as: UInt8(0), GDT_Byte, driver) }
        let values = unsafe try Self.values(of: band, window, as: Float(0), GDT_Float32, driver)
        let scale = range.high > range.low ? 255 / (range.high - range.low) : 0
        return values.enumerated().map { index, value in
            guard value.isFinite else {
                opacity[index] = 0
                return 0
            }
            return UInt8(min(max(((Double(value) - range.low) * scale).rounded(), 0), 255))
        }
    }

    /// Returns the alpha of a window: the alpha band, or the masks of the bands, one of which is sufficient.
    private func opacity(
        _ overview: Int32?, _ window: GDALWindow, _ driver: String
    ) throws(FeatureFileError) -> [UInt8] {
        if let alpha = unsafe alpha {
            let values = unsafe try Self.values(of: level(alpha, overview), window, as: UInt16(0), GDT_UInt16, driver)
            let isByte = unsafe GDALGetRasterDataType(alpha) == GDT_Byte
            return values.map { isByte ? UInt8(clamping: $0) : UInt8($0 >> 8) }
        }
        var opacity = [UInt8](repeating: 0, count: window.width * window.height)
        for position in 0..<(unsafe handles.count) {
            let band = unsafe level(handles[position], overview)
            guard unsafe GDALGetMaskFlags(band) & GMF_ALL_VALID == 0, let mask = unsafe GDALGetMaskBand(band) else {
                return [UInt8](repeating: 255, count: opacity.count)
            }
            let values = unsafe try Self.values(of: mask, window, as: UInt8(0), GDT_Byte, driver, isExact: true)
            for index in opacity.indices { opacity[index] = max(opacity[index], values[index]) }
        }
        return opacity
    }

    private func level(_ band: GDALRasterBandH, _ overview: Int32?) -> GDALRasterBandH {
        unsafe overview.flatMap { unsafe GDALGetOverview(band, $0) } ?? band
    }

    /// Returns the values of a window; several pixels are averaged, or one of them is used if a mean is meaningless.
    private static func values<Value>(
        of band: GDALRasterBandH, _ window: GDALWindow, as zero: Value, _ type: GDALDataType, _ driver: String,
        isExact: Bool = false
    ) throws(FeatureFileError) -> [Value] {
        var values = [Value](repeating: zero, count: window.width * window.height)
        var options = unsafe GDALRasterIOExtraArg()
        unsafe options.nVersion = RASTERIO_EXTRA_ARG_CURRENT_VERSION
        unsafe options.eResampleAlg = window.reduction > 1 && !isExact ? GRIORA_Average : GRIORA_NearestNeighbour
        let size = unsafe (width: Int(GDALGetRasterBandXSize(band)), height: Int(GDALGetRasterBandYSize(band)))
        let x = window.x * window.reduction, y = window.y * window.reduction
        // The last pixel of a reduced window may represent fewer pixels. Overviews of masks may be smaller than those
        // of bands.
        let width = min(window.width * window.reduction, size.width - x)
        let height = min(window.height * window.reduction, size.height - y)
        guard width > 0, height > 0 else { throw FeatureFileError(.malformed, in: driver, "its bands differ in size") }
        // The window is within the band, and the buffer has exactly the requested number of values.
        let result = unsafe values.withUnsafeMutableBufferPointer { buffer in
            unsafe GDALRasterIOEx(
                band, GF_Read, Int32(x), Int32(y), Int32(width), Int32(height), buffer.baseAddress, Int32(window.width),
                Int32(window.height), type, 0, 0, &options)
        }
        guard result == CE_None else {
            throw FeatureFileError(.malformed, in: driver, GDALLibrary.fault?.words ?? "cannot read a window of it")
        }
        return values
    }
}
#endif
