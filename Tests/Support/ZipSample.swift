import Foundation

/// Archives made by another program.
package enum ZipSample {
    /// An archive of Python's `zipfile`: a text, a folder, `files/walk.kml` and `other.kml`, deflated, and
    /// `files/images/pin.png`, stored, with a comment at its end.
    package static let archive: [UInt8] = {
        let text = """
            UEsDBBQAAAAAAAAAIViGphA2BQAAAAUAAAAKAAAAcmVhZG1lLnR4dGhlbGxvUEsDBBQAAAAAAAAAIVgAAAAAAAAAAAAAAAAGAAAA
            ZmlsZXMvUEsDBBQAAAAIAAAAIVhBguxsewAAAMgAAAAOAAAAZmlsZXMvd2Fsay5rbWxNT8EKwjAU+yHpUxFBCO/kZbeBX1Dqc5b1
            vY6uHvx73RzYU0JISIJRE+Oaw0vFKqNPPoj6MjLMq3BnBloZbvWdvtCFbA1lPIs8OKofZKYpmptsAK0i6OegJkMb9jkufSHnco/m
            q8x8PLnL7rx3B1ArgzYvNePoP5mWCx9QSwMEFAAAAAgAAAAhWHUYZHcIAAAABgAAAAkAAABvdGhlci5rbWyzyc7N0bcDAFBLAwQU
            AAAAAAAAACFYJqSVB0YAAABGAAAAFAAAAGZpbGVzL2ltYWdlcy9waW4ucG5niVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAf
            FcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJgglBLAQIUAxQAAAAAAAAAIViGphA2BQAAAAUAAAAKAAAAAAAA
            AAAAAACAAQAAAAByZWFkbWUudHh0UEsBAhQDFAAAAAAAAAAhWAAAAAAAAAAAAAAAAAYAAAAAAAAAAAAAAIABLQAAAGZpbGVzL1BL
            AQIUAxQAAAAIAAAAIVhBguxsewAAAMgAAAAOAAAAAAAAAAAAAACAAVEAAABmaWxlcy93YWxrLmttbFBLAQIUAxQAAAAIAAAAIVh1
            GGR3CAAAAAYAAAAJAAAAAAAAAAAAAACAAfgAAABvdGhlci5rbWxQSwECFAMUAAAAAAAAACFYJqSVB0YAAABGAAAAFAAAAAAAAAAA
            AAAAgAEnAQAAZmlsZXMvaW1hZ2VzL3Bpbi5wbmdQSwUGAAAAAAUABQAhAQAAnwEAAAwAbWFkZSBieSBoYW5k
            """
        return [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
    }()

    /// A ZIP64 archive of Python's `zipfile` with all numbers in the ZIP64 records: `feed/stops.txt` and
    /// `feed/trips.txt`.
    package static let wideArchive: [UInt8] = {
        let text = """
            UEsDBC0AAAAIAAAAIVisuw4A//////////8OABQAZmVlZC9zdG9wcy50eHQBABAARQAAAAAAAAAaAAAAAAAAACsuyS+Iz0zRKQbReYm5qVzF
            hjqJXMUkCQMAUEsDBC0AAAAIAAAAIVhSu0kH//////////8OABQAZmVlZC90cmlwcy50eHQBABAACwAAAAAAAAANAAAAAAAAACspyiyIz0zh
            KjHkAgBQSwECLQMtAAAACAAAACFYrLsOAP//////////DgAUAAAAAAAAAAAAgAEAAAAAZmVlZC9zdG9wcy50eHQBABAARQAAAAAAAAAaAAAA
            AAAAAFBLAQItAy0AAAAIAAAAIVhSu0kH//////////8OABwAAAAAAAAAAACAAf////9mZWVkL3RyaXBzLnR4dAEAGAALAAAAAAAAAA0AAAAA
            AAAAWgAAAAAAAABQSwYGLAAAAAAAAAAtAC0AAAAAAAAAAAACAAAAAAAAAAIAAAAAAAAAqAAAAAAAAACnAAAAAAAAAFBLBgcAAAAATwEAAAAA
            AAABAAAAUEsFBgAAAAACAAIAqAAAAKcAAAAAAA==
            """
        return [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
    }()
}
