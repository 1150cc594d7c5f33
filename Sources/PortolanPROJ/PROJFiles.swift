#if PROJ
import CPROJ
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Restricts the files that PROJ may read to those in its data folders.
///
/// A text can name a grid by any path, and a PROJ string a file of definitions. Therefore all files of PROJ are opened
/// here, except for its database, which SQLite opens and whose name no text can change. Nothing is ever written.
enum PROJFiles {
    /// The data folders of PROJ, each with a trailing slash.
    private static let folders: [String] = {
        guard let path = unsafe proj_info().searchpath else { return [] }
        return unsafe String(cString: path).split(separator: ":").filter { $0.first == "/" }
            .map { $0.last == "/" ? String($0) : $0 + "/" }
    }()

    /// Returns whether a path is below one of the folders.
    private static func isOwn(_ path: String) -> Bool {
        !path.split(separator: "/").contains("..") && folders.contains { path.starts(with: $0) }
    }

    private static func isReadable(_ name: UnsafePointer<CChar>?) -> Bool {
        guard let name = unsafe name else { return false }
        return isOwn(unsafe String(cString: name))
    }

    private static func file(_ handle: OpaquePointer?) -> UnsafeMutablePointer<FILE>? {
        unsafe UnsafeMutablePointer<FILE>(handle)
    }

    /// Makes a context open its files here.
    static func guardFiles(of context: OpaquePointer) -> Bool {
        var door = unsafe PROJ_FILE_API(
            version: 1,
            open_cbk: { _, name, access, _ in
                guard access == PROJ_OPEN_ACCESS_READ_ONLY, unsafe PROJFiles.isReadable(name), let name = unsafe name
                else { return nil }
                return unsafe OpaquePointer(fopen(name, "rbe"))
            },
            read_cbk: { _, handle, buffer, count, _ in
                guard let file = unsafe PROJFiles.file(handle), let buffer = unsafe buffer else { return 0 }
                return unsafe fread(buffer, 1, count, file)
            },
            write_cbk: { _, _, _, _, _ in 0 },
            seek_cbk: { _, handle, offset, whence, _ in
                guard let file = unsafe PROJFiles.file(handle) else { return 0 }
                return unsafe fseeko(file, off_t(offset), whence) == 0 ? 1 : 0
            },
            tell_cbk: { _, handle, _ in
                guard let file = unsafe PROJFiles.file(handle) else { return 0 }
                return unsafe UInt64(max(ftello(file), 0))
            },
            close_cbk: { _, handle, _ in
                if let file = unsafe PROJFiles.file(handle) { unsafe fclose(file) }
            },
            exists_cbk: { _, name, _ in
                guard unsafe PROJFiles.isReadable(name), let name = unsafe name else { return 0 }
                return unsafe access(name, R_OK) == 0 ? 1 : 0
            },
            mkdir_cbk: { _, _, _ in 0 }, unlink_cbk: { _, _, _ in 0 }, rename_cbk: { _, _, _, _ in 0 })
        // PROJ copies the table.
        return unsafe proj_context_set_fileapi(context, &door, nil) != 0
    }
}
#endif
