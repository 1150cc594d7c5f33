#if ZBar
import CZBar
import PortolanRaster

/// A look at a picture by the library zbar.
enum ZBarScan {
    /// The four letters "Y800" of a picture of brightnesses, the first in the lowest byte.
    private static let grayFormat: UInt = 0x3030_3859

    static func codes(in grays: [UInt8], width: Int, height: Int) throws(QRScanError) -> [QRScanner.Code] {
        // Each is destroyed once, here, after its last use.
        guard let scanner = unsafe zbar_image_scanner_create() else { throw .failed }
        defer { unsafe zbar_image_scanner_destroy(scanner) }
        guard let image = unsafe zbar_image_create() else { throw .failed }
        defer { unsafe zbar_image_destroy(image) }
        // Other kinds of codes, such as those of wares, are not looked for.
        _ = unsafe zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        _ = unsafe zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
        unsafe zbar_image_set_format(image, grayFormat)
        unsafe zbar_image_set_size(image, UInt32(width), UInt32(height))
        // The bytes live during the call, as many as the size says; the image forgets them before they go.
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

    /// Copies what a symbol says; it belongs to its image, which lives.
    private static func code(_ symbol: OpaquePointer) -> QRScanner.Code {
        let count = Int(unsafe zbar_symbol_get_data_length(symbol))
        var text = ""
        if let data = unsafe zbar_symbol_get_data(symbol) {
            // As many bytes as the library says, which a zero ends besides.
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
