#if ZBar
import CZBar
import PortolanRaster

/// Scanning of an image with the zbar library.
enum ZBarScan {
    /// The zbar format code "Y800" for grayscale images, first letter in the lowest byte.
    private static let grayFormat: UInt = 0x3030_3859

    static func codes(in grays: [UInt8], width: Int, height: Int) throws(QRScanner.ScanError) -> [QRScanner.Code] {
        // Each object is destroyed exactly once, by its `defer`.
        guard let scanner = unsafe zbar_image_scanner_create() else { throw .failed }
        defer { unsafe zbar_image_scanner_destroy(scanner) }
        guard let image = unsafe zbar_image_create() else { throw .failed }
        defer { unsafe zbar_image_destroy(image) }
        // Other symbologies, such as product bar codes, are disabled.
        _ = unsafe zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        _ = unsafe zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
        unsafe zbar_image_set_format(image, grayFormat)
        unsafe zbar_image_set_size(image, UInt32(width), UInt32(height))
        // The bytes are valid during the call with the stated size. The image releases them before they become invalid.
        let count = unsafe grays.withUnsafeBytes { bytes in
            unsafe zbar_image_set_data(image, bytes.baseAddress, UInt(bytes.count), nil)
            defer { unsafe zbar_image_set_data(image, nil, 0, nil) }
            return unsafe zbar_scan_image(scanner, image)
        }
        guard count >= 0 else { throw .failed }
        var codes: [QRScanner.Code] = []
        var symbol = unsafe zbar_image_first_symbol(image)
        while let found = unsafe symbol, codes.count < QRScanner.maximumCodeCount {
            if unsafe zbar_symbol_get_type(found) == ZBAR_QRCODE { unsafe codes.append(code(found)) }
            unsafe symbol = zbar_symbol_next(found)
        }
        return codes
    }

    /// Copies the data of a symbol.
    ///
    /// The symbol is owned by its image, which is still alive.
    private static func code(_ symbol: OpaquePointer) -> QRScanner.Code {
        let count = Int(unsafe zbar_symbol_get_data_length(symbol))
        var text = ""
        if let data = unsafe zbar_symbol_get_data(symbol) {
            // The data have the length reported by the library, followed by a zero byte.
            let bytes = unsafe UnsafeRawBufferPointer(start: data, count: count)
            text = unsafe String(decoding: bytes, as: UTF8.self)
        }
        let corners = (0..<min(unsafe zbar_symbol_get_loc_size(symbol), 16)).map { index in
            Point(
                x: Double(unsafe zbar_symbol_get_loc_x(symbol, index)),
                y: Double(unsafe zbar_symbol_get_loc_y(symbol, index)))
        }
        return QRScanner.Code(text: text, corners: corners)
    }
}
#endif
