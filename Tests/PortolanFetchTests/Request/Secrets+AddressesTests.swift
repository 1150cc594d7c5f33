import PortolanFetch
import Testing

@Suite struct SecretsAddressesTests {
    @Test(
        arguments: [
            ("https://me:pass@maps.example/wms", "https://maps.example/wms"),
            ("https://token@maps.example", "https://maps.example"),
            ("https://maps.example/wms?key=1234&layers=a", "https://maps.example/wms?layers=a"),
            ("https://maps.example/wms?layers=a&apikey=1234", "https://maps.example/wms?layers=a"),
            ("https://maps.example/wms?api%5Fkey=1234", "https://maps.example/wms"),
            ("https://maps.example/wms?a=1;token=2;b=3#sig=4", "https://maps.example/wms?a=1;b=3"),
            ("https://maps.example/{z}/{x}/{y}.png?access_token=pk.12", "https://maps.example/{z}/{x}/{y}.png"),
            ("https://maps.example/services;key=a8fb/wms?x=1", "https://maps.example/services/wms?x=1"),
            ("https://p.example/?url=https%3A%2F%2Fme%3Apass%40in.example%2F&a=1", "https://p.example/?a=1"),
        ])
    func `secrets are removed from a URL`(url: String, clean: String) {
        #expect(Secrets.leftOut(of: url) == clean)
        #expect(Secrets.leftOut(of: clean) == nil)
    }

    @Test(arguments: [
        "", "a.geojson", "https://maps.example/wms?map=/a&&layers=a?", "https://maps.example/a;v=1/b;c?d#e",
        "https://maps.example/?url=https%3A%2F%2Fin.example%2F", "mailto:a@b.example", "/maps/a@b/c.geojson",
        "data:application/json,{\"key\":1}", "?", "#", "https://maps.example/wms?",
    ])
    func `a URL without secrets is unchanged`(url: String) {
        #expect(Secrets.leftOut(of: url) == nil)
    }
}
