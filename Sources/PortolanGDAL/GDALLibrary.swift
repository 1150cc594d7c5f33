#if GDAL
import CGDAL
import PortolanFeatures

/// The configured library: without messages to the console, read only, and without network access.
enum GDALLibrary {
    private static let registration: Void = {
        GDALAllRegister()
        // The library's cache of image blocks; a larger one is useless here. An explicit setting takes precedence.
        if unsafe CPLGetConfigOption("GDAL_CACHEMAX", nil) == nil { GDALSetCacheMax64(64 << 20) }
    }()

    /// The settings of a thread during library calls; the application's settings are restored afterwards.
    private static let settings = [
        // No statistics, colours or systems are written to sidecar files.
        ("GDAL_PAM_ENABLED", "NO"), ("ESRI_XML_PAM", "NO"), ("OGR_SQLITE_JOURNAL", "OFF"),
        // Names inside a file cannot refer to URLs.
        ("CPL_VSIL_CURL_ALLOWED_EXTENSIONS", "none"), ("CPL_VSIL_CURL_ALLOWED_FILENAME", "none"),
        ("GDAL_VRT_ENABLE_PYTHON", "NO"), ("GDAL_VRT_ENABLE_RAWRASTERBAND", "NO"),
        // Threads created by the library would not have these settings.
        ("GDAL_NUM_THREADS", "1"),
        ("GDAL_MAX_DATASET_POOL_SIZE", "16"),
    ]

    /// Runs `work` with the configured library; its messages are available as ``fault``.
    static func calling<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        _ = registration
        var previous: [String?] = []
        for (key, value) in settings {
            previous.append(unsafe CPLGetThreadLocalConfigOption(key, nil).map { unsafe String(cString: $0) })
            unsafe CPLSetThreadLocalConfigOption(key, value)
        }
        unsafe CPLPushErrorHandler(CPLQuietErrorHandler)
        CPLErrorReset()
        defer {
            CPLPopErrorHandler()
            for ((key, _), value) in zip(settings, previous) { unsafe CPLSetThreadLocalConfigOption(key, value) }
        }
        return try work()
    }

    /// The last error of this thread since ``forget()``, or `nil`.
    static var fault: (isMemory: Bool, words: String)? {
        guard CPLGetLastErrorType() == CE_Failure || CPLGetLastErrorType() == CE_Fatal else { return nil }
        let words = unsafe CPLGetLastErrorMsg().map { unsafe String(cString: $0) } ?? ""
        return (CPLGetLastErrorNo() == CPLE_OutOfMemory, words)
    }

    /// Clears the last error.
    static func forget() { CPLErrorReset() }

    /// The version of the library, such as `3.6.2`.
    static var version: String { unsafe String(cString: GDALVersionInfo("RELEASE_NAME")) }
}
#endif
