#include "peer_curl.h"
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A body is kept whole until its transfer ends, as a client that decodes it must. */
struct body {
    char *bytes;
    size_t count, room;
};

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
    struct body *body = context;
    size_t length = size * count;
    if (body->count + length > body->room) {
        size_t room = (body->count + length) * 2;
        char *longer = realloc(body->bytes, room);
        if (!longer) return 0;
        body->bytes = longer;
        body->room = room;
    }
    memcpy(body->bytes + body->count, bytes, length);
    body->count += length;
    return length;
}

static void begin(CURLM *multi, CURL *easy, const char *base, int number) {
    char url[512];
    snprintf(url, sizeof url, "%s%d", base, number);
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_multi_add_handle(multi, easy);
}

long peer_curl_get(const char *base, int count, int at_once) {
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)at_once);
    CURL **easies = calloc((size_t)at_once, sizeof *easies);
    struct body *bodies = calloc((size_t)at_once, sizeof *bodies);
    int next = 0, done = 0;
    long total = 0;
    for (int i = 0; i < at_once && next < count; i++) {
        easies[i] = curl_easy_init();
        curl_easy_setopt(easies[i], CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(easies[i], CURLOPT_ACCEPT_ENCODING, "");
        curl_easy_setopt(easies[i], CURLOPT_WRITEFUNCTION, receive);
        curl_easy_setopt(easies[i], CURLOPT_WRITEDATA, &bodies[i]);
        curl_easy_setopt(easies[i], CURLOPT_PRIVATE, &bodies[i]);
        begin(multi, easies[i], base, next++);
    }
    while (done < count && total >= 0) {
        int running = 0, left = 0;
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            long status = 0;
            struct body *body = NULL;
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&body);
            if (message->data.result != CURLE_OK || status != 200) {
                total = -1;
                break;
            }
            curl_multi_remove_handle(multi, easy);
            total += (long)body->count;
            body->count = 0;
            done++;
            if (next < count) begin(multi, easy, base, next++);
        }
        if (done < count && total >= 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    for (int i = 0; i < at_once; i++) {
        if (easies[i]) {
            curl_multi_remove_handle(multi, easies[i]);
            curl_easy_cleanup(easies[i]);
        }
        free(bodies[i].bytes);
    }
    free(easies);
    free(bodies);
    curl_multi_cleanup(multi);
    return total;
}
