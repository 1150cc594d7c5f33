#ifndef PORTOLAN_CCURL_SHIM_H
#define PORTOLAN_CCURL_SHIM_H

// Swift cannot call variadic C functions: each argument type of curl_easy_setopt, curl_easy_getinfo and
// curl_multi_setopt that Portolan uses gets one typed function here. The options themselves are checked by the caller.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
// For the waits of the transfer thread; no module of the C library contains these two.
#include <sys/epoll.h>
#include <sys/eventfd.h>

static inline CURLcode portolan_curl_set_long(void *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode portolan_curl_set_offset(void *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl copies the string.
static inline CURLcode portolan_curl_set_string(void *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl keeps the pointer: for CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_ERRORBUFFER, CURLOPT_HTTPHEADER.
static inline CURLcode portolan_curl_set_pointer(void *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

typedef size_t (*portolan_curl_receive)(char *bytes, size_t size, size_t count, void *context);

// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode portolan_curl_set_receiver(void *easy, CURLoption option, portolan_curl_receive function) {
    return curl_easy_setopt(easy, option, function);
}

static inline CURLcode portolan_curl_get_long(void *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode portolan_curl_get_offset(void *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

// The string belongs to the handle and is valid until its next transfer.
static inline CURLcode portolan_curl_get_string(void *easy, CURLINFO info, char **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode portolan_curl_multi_set_long(void *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// libcurl reports sockets to watch and timeouts to these callbacks, on the thread of the multi handle.
static inline CURLMcode portolan_curl_multi_report_to(
    void *multi, curl_socket_callback sockets, curl_multi_timer_callback timer, void *context
) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, sockets);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    return curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

// Allows only http and https, whatever other protocols libcurl supports.
static inline CURLcode portolan_curl_restrict_to_http(void *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Removing a handle must not wait for a name server: the resolver thread frees itself when it ends.
static inline CURLcode portolan_curl_leave_resolver(void *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
    return CURLE_OK;
#endif
}

// Child processes must not inherit connections, which would keep them open.
static inline int portolan_curl_prepare_socket(void *context, curl_socket_t socket, curlsocktype purpose) {
    (void)context;
    (void)purpose;
    (void)fcntl(socket, F_SETFD, FD_CLOEXEC);
    return CURL_SOCKOPT_OK;
}

static inline CURLcode portolan_curl_close_on_exec(void *easy) {
    return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, portolan_curl_prepare_socket);
}

// Returns the bytes of an address that libcurl is about to connect to: 4, 16, or 0 for another family.
static inline int portolan_curl_address_bytes(const struct curl_sockaddr *address, unsigned char *bytes) {
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

// Requests the host of a URL in punycode; libcurl before 7.88 does not support it.
#if LIBCURL_VERSION_NUM >= 0x075800
static const unsigned int portolan_curl_punycode = CURLU_PUNYCODE;
#else
static const unsigned int portolan_curl_punycode = 0;
#endif

typedef int (*portolan_curl_sending)(void *context, char *peer, char *own, int peer_port, int own_port);

// Sets callbacks before a socket is opened, and before a request is sent over an open connection. Without the latter
// (libcurl before 7.80), a new connection is opened for each request.
static inline void portolan_curl_ask_before(
    void *easy, curl_opensocket_callback connecting, portolan_curl_sending sending, void *context
) {
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, connecting);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
#if LIBCURL_VERSION_NUM >= 0x075000
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, sending);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
#else
    (void)sending;
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
#endif
}

static inline CURLcode portolan_curl_get_socket(void *easy, curl_socket_t *socket) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, socket);
}

// Waits until the bell rings, a socket (-1 for none) has `events` (CURL_WAIT_POLLIN, CURL_WAIT_POLLOUT), or libcurl itself
// has work to do; resets the bell.
static inline CURLMcode portolan_curl_wait(void *multi, int bell, curl_socket_t socket, short events, int milliseconds) {
    struct curl_waitfd waits[2];
    memset(waits, 0, sizeof waits);
    waits[0].fd = bell;
    waits[0].events = CURL_WAIT_POLLIN;
    waits[1].fd = socket;
    waits[1].events = events;
    CURLMcode result = curl_multi_poll(multi, waits, socket >= 0 && events != 0 ? 2 : 1, milliseconds, NULL);
    eventfd_t value;
    if (waits[0].revents) (void)eventfd_read(bell, &value);
    return result;
}

// Takes the next finished transfer, or returns 0 without one.
static inline int portolan_curl_next_finished(void *multi, void **easy, CURLcode *result) {
    int remaining = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &remaining))) {
        if (message->msg == CURLMSG_DONE) {
            *easy = message->easy_handle;
            *result = message->data.result;
            return 1;
        }
    }
    return 0;
}

#endif
