import PortolanCLI
import Testing

@Suite struct CacheFolderTests {
    @Test func `the user's cache folder, where there is one`() {
        #expect(CacheFolder.standard(in: ["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/portolan")
        #expect(CacheFolder.standard(in: ["XDG_CACHE_HOME": "c"]) == nil && CacheFolder.standard(in: [:]) == nil)
        #expect(CacheFolder.standard(in: ["XDG_CACHE_HOME": "", "HOME": "/h"])?.hasPrefix("/h/") == true)
    }
}
