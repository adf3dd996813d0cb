# Tries to get out of where it runs, one way after the other, each in a process of its own. Prints one JSON object: for every
# probe [verdict, detail], where the verdict is "reached", "contained" or, when the probe itself is at fault, "broken".
# Usage: probes.py FIXTURE, a JSON object that tells where things lie outside.
import ctypes
import errno
import fcntl
import json
import os
import platform
import pty
import signal
import socket
import stat
import struct
import subprocess
import sys
import termios
import time

fixture = json.loads(sys.argv[1])
marker = fixture["reversedMarker"][::-1]  # Reversed, so that no search for it finds these very words.
libc = ctypes.CDLL(None, use_errno=True)
is_x64 = platform.machine() == "x86_64"
numbers = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "unshare": (272, 97), "clone": (56, 220), "clone3": (435, 435), "fsopen": (430, 430), "keyctl": (250, 219),
    "open_by_handle_at": (304, 265), "io_uring_setup": (425, 425), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "memfd_create": (319, 279), "shmget": (29, 194), "msgget": (68, 186), "mq_open": (240, 180),
    "pivot_root": (155, 41),
}
NEWUSER, NEWNS = 0x10000000, 0x00020000
probes = {}


def probe(function):
    probes[function.__name__.replace("_", "-")] = function
    return function


def call(name, *operands):
    # A number that is not said to be long would leave half of its register as it was.
    longs = [ctypes.c_long(each) if isinstance(each, int) else each for each in operands]
    return checked(libc.syscall(numbers[name][0 if is_x64 else 1], *longs))


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def content(path):
    with open(path) as file:
        text = file.read()
    assert text, "it is empty"
    return text


def write(path, flags="w"):
    with open(path, flags) as file:
        file.write("written from inside\n")


def any_of(attempts):
    failures = []
    for attempt in attempts:
        try:
            return attempt()
        except OSError as error:
            failures.append(errno.errorcode.get(error.errno, str(error.errno)))
    raise OSError(0, " ".join(sorted(set(failures))))


def processes():
    return [name for name in os.listdir("/proc") if name.isdigit()]


def read_all(path):
    with open(path, "rb") as file:
        return file.read()


def read_of(process, name):
    try:
        return read_all(f"/proc/{process}/{name}")
    except OSError:
        return b""


# Files


@probe
def write_outside():
    write(fixture["outside"] + "/new")


def write_and_remove(directory):
    path = f"{directory}/hostile-{os.getpid()}"
    write(path)
    os.unlink(path)


@probe
def write_programs():
    write_and_remove("/usr/local")


@probe
def write_settings():
    write_and_remove("/etc")


@probe
def write_devices():
    write_and_remove("/dev")


@probe
def write_root():
    write_and_remove("/")


@probe
def write_state():
    any_of([lambda each=each: write_and_remove(each) for each in ("/var", "/run")])


@probe
def write_temporary():
    # Only from outside can be told whose directory this is.
    write("/tmp/" + marker)
    return None


@probe
def write_shared_memory():
    write("/dev/shm/" + marker)
    return None


@probe
def append_outside():
    write(fixture["target"], "a")


@probe
def truncate_outside():
    os.truncate(fixture["target"], 1)


@probe
def rename_outside():
    os.rename(fixture["movable"], fixture["movable"] + "-moved")


@probe
def remove_outside():
    os.unlink(fixture["removable"])


@probe
def hard_link_outside():
    os.link(fixture["target"], "hard-link")
    write("hard-link", "a")


@probe
def change_mode_outside():
    os.chmod(fixture["target"], 0o600)


@probe
def write_through_link():
    assert os.path.islink("link-to-target"), "there is no link"
    write("link-to-target", "a")


@probe
def read_secret():
    content(fixture["secret"])


@probe
def read_cloud_keys():
    content(fixture["cloudKeys"])


@probe
def read_package_token():
    content(fixture["packageToken"])


@probe
def read_secret_by_own_link():
    os.symlink(fixture["secret"], "own-link")
    content("own-link")


@probe
def read_secret_by_parents():
    content("../" * 20 + fixture["secret"].lstrip("/"))


@probe
def read_secret_by_process_root():
    any_of([lambda each=each: content(f"/proc/{each}/root{fixture['secret']}") for each in (1, fixture["victim"])])


@probe
def list_outside():
    assert os.listdir(os.path.dirname(fixture["secret"]))


@probe
def learn_that_it_exists():
    os.stat(fixture["secret"])


@probe
def read_shadow():
    content("/etc/shadow")


@probe
def read_hidden():
    content(fixture["hidden"])


@probe
def create_set_id():
    def by_mode():
        write("set-id-1")
        os.chmod("set-id-1", 0o4755)

    def by_creation():
        os.umask(0)
        os.close(os.open("set-id-2", os.O_CREAT | os.O_WRONLY, 0o4755))
        assert os.stat("set-id-2").st_mode & stat.S_ISUID

    any_of([by_mode, by_creation])


# Other processes


@probe
def engine_environment():
    assert any(marker in value for value in os.environ.values()), "it is not there"


@probe
def process_environments():
    assert [each for each in processes() if marker.encode() in read_of(each, "environ")], "it is in none"


@probe
def first_process_environment():
    assert read_all("/proc/1/environ"), "it is empty"


@probe
def first_process_command_line():
    # What the command was itself told may stand there.
    text = read_all("/proc/1/cmdline").decode(errors="replace").replace("\0".join(sys.orig_argv), "")
    assert text == fixture["firstCommandLine"] or fixture["base"] in text, "it tells nothing of the machine"


@probe
def process_command_lines():
    assert [each for each in processes() if read_of(each, "cmdline").split(b"\0")[0] == marker.encode()], "it is in none"


@probe
def process_files():
    any_of([lambda each=each: os.readlink(f"/proc/{fixture['victim']}/{each}") for each in ("fd/0", "cwd", "exe")])


@probe
def process_memory():
    with open(f"/proc/{fixture['victim']}/maps") as file:
        start = int(file.readline().split("-")[0], 16)
    with open(f"/proc/{fixture['victim']}/mem", "rb") as file:
        file.seek(start)
        assert file.read(1)


@probe
def signal_everybody():
    # Lets what was stopped go on, which hurts nobody; whether it reached the stopped process is seen from outside.
    os.kill(-1, signal.SIGCONT)
    return None


@probe
def trace_process():
    call("ptrace", 0x4206, fixture["victim"], 0, 0)


@probe
def trace_own_child():
    child = os.fork()
    if child == 0:
        time.sleep(3)
        os._exit(0)
    try:
        call("ptrace", 0x4206, child, 0, 0)
    finally:
        os.kill(child, signal.SIGKILL)


@probe
def read_process_memory():
    start = int(fixture["victimAddress"], 16)
    buffer = ctypes.create_string_buffer(8)
    local = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
    remote = (ctypes.c_void_p * 2)(start, 8)
    call("process_vm_readv", fixture["victim"], local, 1, remote, 1, 0)


@probe
def take_process_descriptor():
    held = call("pidfd_open", fixture["victim"], 0)
    call("pidfd_getfd", held, 0, 0)


@probe
def signal_process():
    os.kill(fixture["victim"], signal.SIGTERM)


# The network


@probe
def connect_loopback():
    socket.create_connection(("127.0.0.1", fixture["tcp"]), 2)


@probe
def connect_loopback_6():
    socket.create_connection(("::1", fixture["tcp"]), 2)


@probe
def connect_host_address():
    socket.create_connection((fixture["address"], fixture["tcp"]), 2)


@probe
def send_datagram():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"datagram", (fixture["address"], fixture["udp"]))


@probe
def ask_name_server():
    # A question for the address of a name, as every resolver asks it.
    question = b"\x13\x37\1\0\0\1\0\0\0\0\0\0\7example\4test\0\0\1\0\1"
    asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    asking.settimeout(2)
    asking.sendto(question, (fixture["address"], fixture["udp"]))
    assert asking.recv(512)[:2] == question[:2]


@probe
def raw_socket():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)


@probe
def packet_socket():
    socket.socket(17, socket.SOCK_RAW, 3)


@probe
def netlink_socket():
    socket.socket(16, socket.SOCK_RAW, 12)


@probe
def vsock_socket():
    socket.socket(40, socket.SOCK_STREAM)


@probe
def abstract_socket():
    socket.socket(socket.AF_UNIX).connect("\0" + fixture["abstract"])


@probe
def path_socket():
    socket.socket(socket.AF_UNIX).connect(fixture["socket"])


@probe
def path_socket_from_pair():
    # The two of a pair can be given another address than each other.
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"pair", fixture["datagramSocket"])


# Privileges


@probe
def set_id_program():
    def attempt(path):
        user = subprocess.run([path, "-u"], capture_output=True, text=True, check=True).stdout.strip()
        if user != "0" or os.getuid() == 0:
            raise OSError(errno.EPERM, f"it runs as {user}")

    assert fixture["setIdPrograms"], "there is none"
    any_of([lambda each=each: attempt(each) for each in fixture["setIdPrograms"]])


@probe
def new_user_namespace():
    call("unshare", NEWUSER)


@probe
def clone_user_namespace():
    child = call("clone", NEWUSER | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)


@probe
def clone3_user_namespace():
    operands = struct.pack("QQQQQQQQ", NEWUSER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    child = call("clone3", operands, len(operands))
    if child == 0:
        os._exit(0)


@probe
def mount():
    any_of([lambda: call("unshare", NEWNS), lambda: call("unshare", NEWUSER | NEWNS)])
    checked(libc.mount(b"none", b"/", None, 0x44000, None))
    checked(libc.mount(b"tmpfs", b"/usr/local", b"tmpfs", 0, None))


@probe
def remount_system():
    remount = lambda: checked(libc.mount(None, b"/usr", None, 0x1020, None))

    def own():
        call("unshare", NEWNS)
        checked(libc.mount(b"none", b"/", None, 0x44000, None))
        checked(libc.mount(b"/usr", b"/usr", None, 0x1000, None))
        remount()

    any_of([remount, own])


@probe
def mount_interface():
    call("fsopen", b"tmpfs", 0)


@probe
def change_root():
    os.chroot("/usr")


@probe
def pivot_root():
    # Onto itself: where it is allowed at all it says that there is nothing to be done.
    try:
        call("pivot_root", b"/", b"/")
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise


@probe
def make_device():
    os.mknod("device", stat.S_IFBLK | 0o600, fixture["disk"]["number"])
    with open("device", "rb") as file:
        assert file.read(1)


@probe
def open_memory_device():
    os.open("/dev/mem", os.O_RDONLY)


@probe
def open_disk():
    os.open(fixture["disk"]["path"], os.O_RDONLY)


@probe
def open_core_pattern():
    os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY)


@probe
def open_system_request():
    os.open("/proc/sysrq-trigger", os.O_WRONLY)


@probe
def make_control_group():
    def attempt(directory):
        path = f"{directory}/hostile-{os.getpid()}"
        os.mkdir(path)
        os.rmdir(path)

    any_of([lambda each=each: attempt(each) for each in ("/sys/fs/cgroup", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/unified")])


@probe
def open_by_handle():
    handle = ctypes.create_string_buffer(struct.pack("IiII", 8, 1, 2, 0), 24)
    call("open_by_handle_at", os.open(".", os.O_RDONLY), handle, 0)


@probe
def key_ring():
    call("keyctl", 0, -4, 1)


@probe
def io_uring():
    call("io_uring_setup", 4, ctypes.create_string_buffer(256))


@probe
def bpf():
    call("bpf", 0, ctypes.create_string_buffer(struct.pack("IIII", 2, 4, 4, 1), 128), 128)


@probe
def perf_events():
    call("perf_event_open", ctypes.create_string_buffer(struct.pack("IIQ", 1, 120, 0), 120), 0, -1, -1, 0)


@probe
def user_faults():
    call("userfaultfd", 1)


@probe
def type_into_terminal():
    _, slave = pty.openpty()
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    fcntl.ioctl(slave, termios.TIOCSTI, b"x")


@probe
def type_into_own_terminal():
    # Of the session that the engine belongs to, where it was started from a terminal.
    fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), termios.TIOCSTI, b"x")


@probe
def call_as_i386():
    assert is_x64, "only x64 has it"
    # mov eax, 20 (getpid); int 0x80; ret
    assert run_code(b"\xb8\x14\0\0\0\xcd\x80\xc3") == os.getpid(), "it answers nothing"


@probe
def call_as_x32():
    assert is_x64, "only x64 has it"
    checked(libc.syscall(0x40000000 | 39))


def run_code(code):
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    # Within reach of 32-bit addresses (MAP_32BIT).
    page = libc.mmap(None, 4096, 7, 0x22 | 0x40, -1, 0)
    ctypes.memmove(page, code, len(code))
    return ctypes.CFUNCTYPE(ctypes.c_int)(page)()


# Memory that counts as nobody's


@probe
def memory_file():
    call("memfd_create", b"hidden", 0)


@probe
def shared_segment():
    segment = call("shmget", 0, 4096, 0o1600)
    libc.shmctl(segment, 0, None)


@probe
def message_queue():
    queue = call("msgget", 0, 0o1600)
    libc.msgctl(queue, 0, None)


@probe
def named_queue():
    call("mq_open", b"hostile", os.O_CREAT | os.O_RDWR, 0o600, None)
    libc.syscall(241 if is_x64 else 181, b"hostile")


def attempt(function):
    try:
        detail = function()
        return ["reached", "" if detail is None else str(detail)]
    except OSError as error:
        return ["contained", errno.errorcode.get(error.errno, error.strerror or str(error))]
    except (AssertionError, subprocess.CalledProcessError) as error:
        return ["contained", str(error)]
    except Exception as error:
        return ["broken", f"{type(error).__name__}: {error}"]


def run_apart(function):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(5)
        os.write(writing, json.dumps(attempt(function)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        answer = file.read()
    _, status = os.waitpid(child, 0)
    if answer:
        return json.loads(answer)
    end = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
    # A kernel without 32-bit programs answers their calls like any other fault.
    return ["contained" if end in ("SIGSYS", "SIGSEGV") else "broken", end]


def inherited_descriptors():
    found = []
    for descriptor in range(3, 1024):
        try:
            found.append(os.readlink(f"/proc/self/fd/{descriptor}"))
        except OSError:
            pass
    # Nothing can be learned from it, nor done with it.
    found = [each for each in found if each != "/dev/null"]
    return ["reached", " ".join(found)] if found else ["contained", "none"]


answers = {"inherited-descriptors": inherited_descriptors()}
for name, function in probes.items():
    answers[name] = run_apart(function)
print(json.dumps(answers))
