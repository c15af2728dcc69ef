// A whole bot in Go, without any module: it takes cards where it can.
//
// Build: CGO_ENABLED=0 go build -o bot bot.go
//
// Each message on standard input and output comes after its length as a protobuf varint. A protobuf message is a row
// of fields: a key (number * 8 + type, a varint), then a varint (type 0), eight bytes (type 1), a length and so many
// bytes (type 2), or four bytes (type 5). A number that is 0 may be left out.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	hello = 1 // members of PlayRequest
	move  = 2

	decision = 3 // members of PlayResponse
	goodbye  = 7
)

// field is a field of a message: its number, and what it holds, as a number or as bytes.
type field struct {
	number, value uint64
	bytes         []byte
}

func fields(message []byte) (found []field) {
	take := func() uint64 {
		value, size := binary.Uvarint(message)
		if size <= 0 {
			fail(errors.New("a varint is cut off"))
		}
		message = message[size:]
		return value
	}
	for len(message) > 0 {
		key, length := take(), uint64(0)
		one := field{number: key >> 3}
		switch key & 7 {
		case 0:
			one.value = take()
		case 1:
			length = 8
		case 2:
			length = take()
		case 5:
			length = 4
		default:
			fail(fmt.Errorf("a field of the unknown type %d", key&7))
		}
		one.bytes, message = message[:length], message[length:]
		found = append(found, one)
	}
	return found
}

func putNumber(to []byte, number, value uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(to, number<<3), value)
}

func putBytes(to []byte, number uint64, bytes []byte) []byte {
	to = binary.AppendUvarint(binary.AppendUvarint(to, number<<3|2), uint64(len(bytes)))
	return append(to, bytes...)
}

// request writes a PlayRequest with one member.
func request(member uint64, message []byte) {
	body := putBytes(nil, member, message)
	_, err := os.Stdout.Write(append(binary.AppendUvarint(nil, uint64(len(body))), body...))
	fail(err)
}

// action is a legal action: the code that answers with it, and its text: "1R", "1R*1x" (which takes 1x), "stop".
type action struct {
	code uint64
	text string
}

func actionOf(message []byte) (found action) {
	for _, one := range fields(message) {
		switch one.number {
		case 1:
			found.code = one.value
		case 2:
			found.text = string(one.bytes)
		}
	}
	return found
}

// choose is the bot: which of the legal actions it chooses. Make this better!
func choose(legal []action) action {
	for _, one := range legal {
		if strings.Contains(one.text, "*") {
			return one
		}
	}
	return legal[0]
}

// answer answers a Decision: its match and its number go back with the code of the chosen action.
func answer(message []byte) {
	var match []byte
	var number uint64
	var legal []action
	for _, one := range fields(message) {
		switch one.number {
		case 1:
			match = one.bytes
		case 2:
			number = one.value
		case 4:
			legal = append(legal, actionOf(one.bytes))
		}
	}
	request(move, putNumber(putNumber(putBytes(nil, 1, match), 2, number), 3, choose(legal).code))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	request(hello, putNumber(nil, 1, 1)) // the version of the protocol
	input := bufio.NewReader(os.Stdin)
	for {
		length, err := binary.ReadUvarint(input)
		if errors.Is(err, io.EOF) {
			return
		}
		fail(err)
		message := make([]byte, length)
		_, err = io.ReadFull(input, message)
		fail(err)
		for _, one := range fields(message) {
			switch one.number {
			case decision:
				answer(one.bytes)
			case goodbye:
				return
			}
		}
	}
}
